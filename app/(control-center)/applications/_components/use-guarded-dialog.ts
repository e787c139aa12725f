'use client';

import { type RefObject, useRef, useState } from 'react';

/** The state of a page's dialog and of the secret that it shows. */
export type GuardedDialog<Act, Issued> = ReturnType<typeof useGuardedDialog<Act, Issued>>;

/**
 * Returns the state of a dialog that may show a new secret. Only this state holds the secret; closing the dialog discards
 * it. If the button that opened the dialog is unmounted by then, `fallback` takes the focus.
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
    /** Runs after the exit transition. */
    onClosed: () => {
      setIssued(null);
      setAct(null);
      const back = opener.current?.isConnected ? opener.current : fallback.current;
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
