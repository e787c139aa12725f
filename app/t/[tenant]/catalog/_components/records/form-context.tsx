'use client';

import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import type { Translator } from '@/app/_components/language';
import { capitalized, languageName } from '../format';
import type { Words } from '../words';

/** A field's error from the server. `message` continues the field's label, as in `must not be empty`. */
export type FieldError = { path: string; message: string };

type Errors = Readonly<Record<string, ReactNode>>;

const FormContext = createContext<{ errors: Errors; labels: Map<string, string> }>({ errors: {}, labels: new Map() });

/** Provides the server's errors to the fields in `children`. Collects the labels of these fields for the error summary. */
export function FieldErrorsProvider({ errors, children }: { errors: Errors; children: ReactNode }) {
  const labels = useRef(new Map<string, string>()).current;
  const value = useMemo(() => ({ errors, labels }), [errors, labels]);
  return <FormContext.Provider value={value}>{children}</FormContext.Provider>;
}

/** Returns the error at a path, such as `hours.2.opens`. Registers `label`, which names the field in the error summary. */
export function useFieldError(path: string, label: string): ReactNode {
  const { errors, labels } = useContext(FormContext);
  useEffect(() => {
    labels.set(path, label);
    return () => {
      labels.delete(path);
    };
  }, [labels, path, label]);
  return errors[path];
}

/** Returns the server's errors and the labels of the fields, both by path. */
export function useFieldErrors() {
  return useContext(FormContext);
}

/** Returns the field errors of a refused change, with paths relative to the record. */
export function fieldErrorsOf(error: { data?: { fields?: FieldError[] } | null } | null): FieldError[] {
  const fields = error?.data?.fields ?? [];
  return fields.map(({ path, message }) => ({ path: path.replace(/^record\./, ''), message }));
}

/** Returns the texts that the fields show, by path. */
export function messagesOf(errors: readonly FieldError[], t: Translator<'common'>): Record<string, string> {
  return Object.fromEntries(errors.map(({ path, message }) => [path, t('fieldProblem', { message })]));
}

/** Returns the name of a field of a record; the words of the field itself if a later release of the server added it. */
export function fieldName(t: Translator<'catalog'>, field: string): string {
  const key = `fieldNames.${field}` as 'fieldNames.name';
  return t.has(key) ? t(key) : field.replaceAll('_', ' ');
}

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]+)*$/;

/**
 * Returns the label of the field at a path of a record, such as `Name (English)` for `name.en`. If no field has this
 * path, returns the label of the nearest parent path that has a field. If there is no such parent path, makes a label
 * from the first part of the path. If the second part is a language, this label also names the language.
 * @param labels The labels of the form's fields by their paths.
 */
export function fieldLabel({ t, format }: Words, labels: ReadonlyMap<string, string>, path: string): string {
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length -= 1) {
    const label = labels.get(parts.slice(0, length).join('.'));
    if (label !== undefined) return label;
  }
  const [name = path, tag = ''] = parts;
  const label = capitalized(fieldName(t, name));
  const ofTag = LANGUAGE.test(tag) ? languageName(tag, format) : tag;
  return ofTag === tag ? label : t('editor.inLanguage', { label, language: ofTag });
}
