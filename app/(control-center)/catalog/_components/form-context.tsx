'use client';

import { createContext, useContext } from 'react';

/** What the server found wrong, by place: `hours.2.opens`. */
export type FieldErrors = Readonly<Record<string, string>>;

const Errors = createContext<FieldErrors>({});

/** Gives the fields of a form what the server found wrong with them. */
export const FieldErrorsProvider = Errors.Provider;

/** Returns what is wrong at a place of the form. */
export function useFieldError(path: string): string | undefined {
  return useContext(Errors)[path];
}

/** Returns what a refusal says of each place; one of the call itself names the record that it carries. */
export function errorsOf(
  error: { data?: { fields?: { path: string; message: string }[] } | null } | null,
): FieldErrors {
  const fields = error?.data?.fields ?? [];
  return Object.fromEntries(fields.map(({ path, message }) => [path.replace(/^record\./, ''), `This ${message}.`]));
}
