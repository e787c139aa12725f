'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { fieldLabel } from './field-label';

export type FieldError = { path: string; message: string };

type Context = { errors: Readonly<Record<string, string>>; labels: Map<string, string> };

const FormContext = createContext<Context>({ errors: {}, labels: new Map() });

/**
 * Provides the server's errors to the fields in `children`. Collects the labels of these fields for the error summary.
 */
export function FieldErrorsProvider({ errors, children }: { errors: readonly FieldError[]; children: ReactNode }) {
  const labels = useRef(new Map<string, string>()).current;
  const value = useMemo(() => {
    const messages = errors.map(({ path, message }) => [path, `This ${message}.`]);
    return { errors: Object.fromEntries(messages), labels };
  }, [errors, labels]);
  return <FormContext.Provider value={value}>{children}</FormContext.Provider>;
}

/**
 * Returns the server's error for the field at a path of the record, such as `hours.2.opens`. Registers `label`, which
 * names the field in the error summary.
 */
export function useFieldError(path: string, label: string): string | undefined {
  const { errors, labels } = useContext(FormContext);
  useEffect(() => {
    labels.set(path, label);
    return () => {
      labels.delete(path);
    };
  }, [labels, path, label]);
  return errors[path];
}

/** Returns the server's errors, keyed by the paths of their fields. */
export function useFieldErrors(): Readonly<Record<string, string>> {
  return useContext(FormContext).errors;
}

/** Returns a function that returns the label of the field at a path, for the error summary. */
export function useFieldLabels(): (path: string) => string {
  const { labels } = useContext(FormContext);
  return (path) => fieldLabel(labels, path);
}

/** Returns the field errors of a refused change, with paths relative to the record. */
export function fieldErrorsOf(error: { data?: { fields?: FieldError[] } | null } | null): FieldError[] {
  const fields = error?.data?.fields ?? [];
  return fields.map(({ path, message }) => ({ path: path.replace(/^record\./, ''), message }));
}
