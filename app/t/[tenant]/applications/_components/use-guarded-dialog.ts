'use client';

import { type RefObject, useRef, useState } from 'react';

/** The state of a dialog on a page, and the new secret that the dialog shows. */
export type GuardedDialog<Act, Issued> = ReturnType<typeof useGuardedDialog<Act, Issued>>;

/**
 * Returns the state of a dialog that may show a new secret. Only this state holds the secret. The secret is discarded
 * when the dialog closes. After the dialog has closed, the button that opened it receives the focus. If this button is
 * unmounted, `fallback` receives the focus instead. `fallback` also receives the focus if the dialog showed a secret,
 * because the page then loads its data again, which may unmount the button later.
 */
export function useGuardedDialog<Act, Issued>(fallback: RefObject<HTMLElement | null>) {
  const [act, setAct] = useState<Act | null>(null);
  const [opened, setOpened] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);
  const opener = useRef<Element | null>(null);
  return {
    act,
    opened,
    issued,
    show: (made: Issued) => setIssued(() => made),
    open: (next: Act) => {
      opener.current = document.activeElement;
      setIssued(null);
      setAct(() => next);
      setOpened(true);
    },
    close: () => setOpened(false),
    /** Call this after the dialog's exit transition. */
    onClosed: () => {
      setIssued(null);
      setAct(null);
      // If the dialog closes without a transition, the update that unmounts the opener may not be rendered yet. The
      // timeout runs after this update is rendered, because the update was scheduled earlier.
      setTimeout(() => {
        const back = issued === null && opener.current?.isConnected ? opener.current : fallback.current;
        if (back instanceof HTMLElement) back.focus();
      });
    },
  };
}
