'use client';

import { type FormEvent, type ReactNode, useRef } from 'react';
import { useFocusAfterSave } from '../dialogs/focus';
import styles from './form.module.css';

type FieldsProps = {
  /** Whether the values of the fields are being sent. */
  busy: boolean;
  /** Whether a dialog asks about the values. After it closes, the focus returns. */
  isConfirming?: boolean;
  children: ReactNode;
};

/**
 * Fields that cannot be changed while their values are sent. A later change would be lost, because the answer closes or
 * restarts the form. Afterwards, the first invalid field has the focus, or else the element that had it before.
 */
export function Fields({ busy, isConfirming = false, children }: FieldsProps) {
  const fields = useRef<HTMLFieldSetElement>(null);
  useFocusAfterSave(busy || isConfirming, fields);
  return (
    <fieldset ref={fields} disabled={busy} className={styles.fields}>
      {children}
    </fieldset>
  );
}

type Props = FieldsProps & { onSubmit: (event: FormEvent<HTMLFormElement>) => void };

/** A form whose fields and buttons are disabled while it is saved. */
export function Form({ onSubmit, ...fields }: Props) {
  return (
    <form noValidate onSubmit={onSubmit}>
      <Fields {...fields} />
    </form>
  );
}
