'use client';

import { useForm } from '@mantine/form';
import { hashKey } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslations } from 'use-intl';
import { type FieldError, fieldErrorsOf, messagesOf } from './form-context';

/** The values of a record as the server returned them, with the version of the record. */
export type Loaded<Values> = { version: number; record: Values };

/** A field that another user changed since the form was loaded. `isBoth`: the user of this form changed it, too. */
export type Difference<Values> = { name: keyof Values & string; theirs: unknown; mine: unknown; isBoth: boolean };

/** The error of a refused query or mutation. */
export type Refusal = { message: string; data?: { code?: string; fields?: FieldError[] } | null };

/**
 * Returns the state of a record's form: the version that the form started from, the current values, and the last
 * refusal. A newer version never replaces unsaved values. Instead, `isStale` becomes true. A newer version with the same
 * values counts as saved, because the answer to a save can be lost. The form then calls `onSaved`.
 */
export function useRecordForm<Values extends object>(loaded: Loaded<Values>, onSaved?: () => void) {
  const t = useTranslations('common');
  const form = useForm<Values>({ initialValues: loaded.record, clearInputErrorOnChange: false });
  const { values, errors } = form;
  const [version, setVersion] = useState(loaded.version);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const isDirty = form.isDirty();
  const isNewer = loaded.version > version;
  /** Makes `next` the version that the form started from. */
  const begin = (next: Loaded<Values>, shown = next.record) => {
    setVersion(next.version);
    setRefusal(null);
    form.resetDirty(next.record);
    form.setValues(shown);
    form.clearErrors();
  };
  const before = form.getInitialValues();
  const namesOf = (record: Values) => Object.keys(record) as (keyof Values & string)[];
  // The server may return the keys of an object in another order.
  const isEqual = (one: unknown, other: unknown) => hashKey([one]) === hashKey([other]);
  const isSame = isEqual(loaded.record, values);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new version restarts the form.
  useEffect(() => {
    if (!isNewer || (isDirty && !isSame)) return;
    begin(loaded);
    if (isDirty) onSaved?.();
  }, [loaded.version]);
  return {
    version,
    before,
    values,
    errors,
    refusal,
    isDirty,
    isStale: isNewer && isDirty && !isSame,
    set: <Name extends keyof Values>(name: Name, value: Values[Name]) =>
      form.setValues((now) => ({ ...now, [name]: value })),
    discard: () => begin(loaded),
    saved: (next: number) => begin({ version: next, record: values }),
    refused: (error: Refusal) => {
      // Outside of React event handlers, React may postpone rendering. Without `flushSync`, the focus would move before
      // the fields are marked as invalid.
      flushSync(() => {
        setRefusal(error);
        form.setErrors(messagesOf(fieldErrorsOf(error), t));
      });
    },
    /** Returns what the newer version changed, without the changes that the user of this form made, too. */
    differences: (): Difference<Values>[] =>
      namesOf(loaded.record)
        .filter((name) => !isEqual(loaded.record[name], before[name]) && !isEqual(loaded.record[name], values[name]))
        .map((name) => ({ name, theirs: loaded.record[name], mine: values[name], isBoth: form.isDirty(name) })),
    /** Loads the values of the newer version, except in fields with unsaved values that are not in `theirs`. */
    rebase: (theirs: readonly string[] = []) => {
      const unsaved = Object.entries(values).filter(([name]) => form.isDirty(name) && !theirs.includes(name));
      begin(loaded, { ...loaded.record, ...Object.fromEntries(unsaved) });
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
