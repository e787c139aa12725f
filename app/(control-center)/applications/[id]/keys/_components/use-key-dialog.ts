'use client';

import { type RefObject, useRef, useState } from 'react';
import type { IssuedKey, KeyRow } from '../../../_components/types';

/** What a dialog is about. */
export type KeyAct = { kind: 'issue' } | { kind: 'rotate'; key: KeyRow } | { kind: 'revoke'; key: KeyRow };

/** The one dialog of the page of keys, and the key it may be showing. */
export type KeyDialogState = ReturnType<typeof useKeyDialog>;

/**
 * The dialog's state. A key that was just made is held here and nowhere else: closing the dialog forgets it. When the
 * button that opened the dialog is gone by then, the focus goes to `fallback`.
 */
export function useKeyDialog(fallback: RefObject<HTMLElement | null>) {
  const [act, setAct] = useState<KeyAct | null>(null);
  const [opened, setOpened] = useState(false);
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const opener = useRef<Element | null>(null);
  return {
    act,
    opened,
    issued,
    show: setIssued,
    open: (next: KeyAct) => {
      opener.current = document.activeElement;
      setIssued(null);
      setAct(next);
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
