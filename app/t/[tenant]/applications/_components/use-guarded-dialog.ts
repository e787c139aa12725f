'use client';

import { type RefObject, useRef, useState } from 'react';

/** The state of a dialog on a page, and the new secret that the dialog shows. */
export type GuardedDialog<Act, Issued> = ReturnType<typeof useGuardedDialog<Act, Issued>>;

/**
 * Returns the state of a dialog that can show a new secret. Only this state holds the secret, and only until the dialog
 * closes.
 *
 * After the dialog has closed, the button that opened it receives the focus. In two cases, `fallback` receives the
 * focus instead: if the button is no longer on the page, or if the dialog showed a secret. In the second case, the page
 * loads its data again, so the button could disappear while it has the focus.
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
      // If the dialog closed without a transition, React may still have to render an update that removes the opener
      // from the page. The timeout runs after that update.
      setTimeout(() => {
        const back = issued === null && opener.current?.isConnected ? opener.current : fallback.current;
        if (back instanceof HTMLElement) back.focus();
      });
    },
  };
}
