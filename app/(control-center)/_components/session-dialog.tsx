'use client';

import { Modal, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { SignInForm } from '@/app/_components/sign-in-form';
import { takeBackFocus } from './focus-memory';

/** Who a page was made for. */
export type Person = { name: string; email: string; role: 'OWNER' | 'SUPPORT'; tenantName: string };

type Props = { opened: boolean; email: string; onSignedIn: () => Promise<void> };

/** Asks to sign in again, on top of the page. It cannot be closed otherwise: nothing on the page works without it. */
export function SessionDialog({ opened, email, onSignedIn }: Props) {
  const before = useRef<Element | null>(null);
  const body = useRef<HTMLDivElement>(null);
  useLastFocus(before, opened);
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      // A button that waits for its answer has lost the focus already: it is remembered here.
      returnFocus={false}
      onExitTransitionEnd={() => takeBackFocus(before.current, body.current)}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title="Your session has ended"
      zIndex={1000}
    >
      <div ref={body}>
        <Text size="sm" mb="md">
          Sign in to go on. What you have typed is still here.
        </Text>
        <SignInForm email={email} onSignedIn={onSignedIn} />
      </div>
    </Modal>
  );
}

/** Keeps what had the focus last, until the dialog is there. */
function useLastFocus(before: { current: Element | null }, opened: boolean): void {
  useEffect(() => {
    if (opened) return;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) before.current = target;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [before, opened]);
}
