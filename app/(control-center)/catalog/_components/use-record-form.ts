'use client';

import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { errorsOf, type FieldErrors } from './form-context';

/** A record as it was loaded, with the version that is being edited. */
export type Loaded<Values> = { version: number; record: Values };

/** What a refused change says of itself. */
type Refusal = { message: string; data?: { code?: string; fields?: { path: string; message: string }[] } | null };

/** Returns the fields in which two records differ. */
function changed<Values extends object>(before: Values, after: Values): (keyof Values)[] {
  return (Object.keys(after) as (keyof Values)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
}

/**
 * The form of a record: what it began with, what is typed, what the server found wrong, and whether somebody else saved
 * meanwhile. Nothing that was typed is ever replaced without being asked for.
 */
export function useRecordForm<Values extends object>(loaded: Loaded<Values>) {
  const [base, setBase] = useState(loaded);
  const [values, setValues] = useState(loaded.record);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const dirty = changed(base.record, values);
  const isNewer = loaded.version > base.version;
  const begin = (next: Loaded<Values>) => {
    setBase(next);
    setValues(next.record);
    setRefusal(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another version is a reason to begin anew.
  useEffect(() => {
    if (isNewer && dirty.length === 0) begin(loaded);
  }, [loaded.version]);
  return {
    base,
    values,
    dirty,
    refusal,
    errors: errorsOf(refusal) as FieldErrors,
    isStale: isNewer && dirty.length > 0,
    set: <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      setValues((before) => ({ ...before, [name]: value })),
    discard: () => begin(loaded),
    saved: (version: number) => {
      setBase({ version, record: values });
      setRefusal(null);
    },
    refused: (error: Refusal) => {
      // An answer comes outside of any event: without this the fields would be marked after the focus looked for them.
      flushSync(() => setRefusal(error));
      requestAnimationFrame(() => document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus());
    },
    /** Takes over what was saved meanwhile; the fields that were changed here stay as they are. */
    takeOver: () => {
      const mine = Object.fromEntries(dirty.map((name) => [name, values[name]])) as Partial<Values>;
      setBase(loaded);
      setValues({ ...loaded.record, ...mine });
      setRefusal(null);
    },
  };
}

/** The form of a record. */
export type RecordForm<Values extends object> = ReturnType<typeof useRecordForm<Values>>;
