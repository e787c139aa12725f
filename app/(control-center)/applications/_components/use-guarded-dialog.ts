'use client';

import { type RefObject, useRef, useState } from 'react';

/** The one dialog of a page, and the secret it may be showing. */
export type GuardedDialog<Act, Issued> = ReturnType<typeof useGuardedDialog<Act, Issued>>;

/**
 * The state of a dialog that can end in a secret. A secret that was just made is held here and nowhere else: closing the
 * dialog forgets it. When the button that opened the dialog is gone by then, the focus goes to `fallback`.
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
    /** After the dialog has faded. */
    onClosed: () => {
      setIssued(null);
      setAct(null);
      const back = opener.current?.isConnected ? opener.current : fallback.current;
      if (back instanceof HTMLElement) back.focus();
    },
  };
}
