'use client';

import { useEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldError, fieldErrorsOf } from './form-context';

/** The values of a record as the server returned them, with the version of the record. */
export type Loaded<Values> = { version: number; record: Values };

/** The error of a refused query or mutation. */
export type Refusal = Error & { data?: { code?: string; fields?: FieldError[] } | null };

/** Returns the fields in which two records differ. */
function changedFields<Values extends object>(before: Values, after: Values): (keyof Values)[] {
  return (Object.keys(after) as (keyof Values)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/**
 * Returns the state of a record's form: the version that the form started from, the current values, and the last
 * refusal. A newer version never replaces unsaved values. Instead, `isStale` becomes true.
 */
export function useRecordForm<Values extends object>(loaded: Loaded<Values>) {
  const [base, setBase] = useState(loaded);
  const [values, setValues] = useState(loaded.record);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const errors = useMemo(() => fieldErrorsOf(refusal), [refusal]);
  const dirty = changedFields(base.record, values);
  const isNewer = loaded.version > base.version;
  const restart = (next: Loaded<Values>) => {
    setBase(next);
    setValues(next.record);
    setRefusal(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version restarts the form.
  useEffect(() => {
    if (isNewer && dirty.length === 0) restart(loaded);
  }, [loaded.version]);
  return {
    base,
    values,
    dirty,
    refusal,
    errors,
    isStale: isNewer && dirty.length > 0,
    set: <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      setValues((before) => ({ ...before, [name]: value })),
    discard: () => restart(loaded),
    saved: (version: number) => {
      setBase({ version, record: values });
      setRefusal(null);
    },
    refused: (error: Refusal) => {
      // Outside of React event handlers, React may postpone rendering. Without `flushSync`, the focus would move before
      // the fields are marked as invalid.
      flushSync(() => setRefusal(error));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
    },
    /** Loads the values of the newer version, except in fields with unsaved values. */
    rebase: () => {
      const unsaved = Object.fromEntries(dirty.map((name) => [name, values[name]])) as Partial<Values>;
      setBase(loaded);
      setValues({ ...loaded.record, ...unsaved });
      setRefusal(null);
    },
  };
}

/** Returns a function that takes the name of one of the record's values, and returns the props of its form field. */
export function bindFields<Values extends object>({ values, set }: RecordForm<Values>) {
  return <Name extends keyof Values & string>(path: Name) => ({
    path,
    value: values[path],
    onChange: (value: Values[Name]) => set(path, value),
  });
}

/** The state of a record's form. */
export type RecordForm<Values extends object> = ReturnType<typeof useRecordForm<Values>>;
