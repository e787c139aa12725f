'use client';

import { type RefObject, useRef, useState } from 'react';

/** The state of a dialog on a page, and the new secret that the dialog shows. */
export type GuardedDialog<Act, Issued> = ReturnType<typeof useGuardedDialog<Act, Issued>>;

/**
 * Returns the state of a dialog that can show a new secret. Only this state holds the secret, and only until the dialog
 * closes.
 *
 * After the dialog has closed, the button that opened it receives the focus. There are two cases in which `fallback`
 * receives the focus instead: the button is unmounted, or the dialog showed a secret. In the second case, the page
 * loads its data again, which can unmount the button later.
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
