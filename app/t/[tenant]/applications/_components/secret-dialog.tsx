'use client';

import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Dialog } from '../../_components/dialogs/dialog';

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

type Making<Input, Made> = { mutateAsync: (input: Input) => Promise<Made>; reset: () => void };

/** Makes a secret, and removes it from the mutation cache, because only the dialog may hold it. */
export async function makeSecret<Input, Made>(
  making: Making<Input, Made>,
  input: Input,
  onMade: (made: Made) => void,
): Promise<void> {
  // The form shows the error.
  const made = await making.mutateAsync(input).catch(() => null);
  if (made === null) return;
  making.reset();
  onMade(made);
}

type Props = {
  dialog: Pick<GuardedDialog<never, unknown>, 'opened' | 'issued' | 'close' | 'onClosed'>;
  title: string;
  children: ReactNode;
};

/**
 * The dialog of `useGuardedDialog`. While it shows a secret, neither Escape nor a click outside closes it, because the
 * secret cannot be shown again.
 */
export function SecretDialog({ dialog: { opened, issued, close, onClosed }, title, children }: Props) {
  return (
    <Dialog
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      guarded={issued !== null}
      size="lg"
      title={title}
    >
      {children}
    </Dialog>
  );
}
