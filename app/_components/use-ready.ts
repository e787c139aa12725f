'use client';

import { useLayoutEffect, useState } from 'react';

/** What `useReady` needs of Mantine's `useForm`. */
export type ReadableForm = {
  getValues: () => object;
  getInputNode: (name: string) => HTMLElement | null;
  setFieldValue: (name: string, value: string, options: { forceUpdate: boolean }) => void;
};

/**
 * Returns whether `form` responds to the user, which it does after hydration. Then it also gets what a person or a
 * password manager has entered before, when React does not yet receive change events. The button that submits the form
 * must be disabled until then.
 */
export function useReady(form: ReadableForm | null): boolean {
  const [ready, setReady] = useState(false);
  // Before the effects that set values, because the next render empties a controlled field without a value.
  useLayoutEffect(() => {
    if (ready) return;
    for (const name of form ? Object.keys(form.getValues()) : []) {
      const field = form?.getInputNode(name);
      if (field instanceof HTMLInputElement && field.value !== '')
        form?.setFieldValue(name, field.value, { forceUpdate: false });
    }
    setReady(true);
  }, [ready, form]);
  return ready;
}
