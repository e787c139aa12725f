'use client';

import { Text } from '@mantine/core';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Dialog } from './dialog';
import { takeBackFocus } from './focus-memory';
import type { Role } from './roles';

/** Loads the script of the sign-in form. The pages that can show this dialog start without that script. */
export const loadSignInForm = () => import('@/app/_components/sign-in-form');

/** The user for whom a page was rendered. */
export type Person = { name: string; email: string; role: Role; tenantName: string };

type Props = { opened: boolean; email: string; onSignedIn: () => Promise<void> };

/**
 * The dialog that covers the page and asks the user to sign in again. The dialog closes only after the user has signed
 * in, because every call fails without a session.
 */
export function SessionDialog({ opened, email, onSignedIn }: Props) {
  const before = useRef<Element | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const SignInForm = useSignInForm(opened);
  useLastFocus(before, opened);
  return (
    <Dialog
      // The dialog focuses its first field when it opens, so it opens only after the form is loaded.
      opened={opened && SignInForm !== null}
      onClose={() => undefined}
      // Mantine cannot return the focus to a button in its loading state, because that button has already lost the
      // focus. Instead, `takeBackFocus` focuses the element in `before`.
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
          Sign in to continue. Your unsaved input is kept.
        </Text>
        {SignInForm && <SignInForm email={email} onSignedIn={onSignedIn} />}
      </div>
    </Dialog>
  );
}

/** Returns the sign-in form once it is needed and its script is loaded. Returns null before that. */
function useSignInForm(needed: boolean): ComponentType<Pick<Props, 'email' | 'onSignedIn'>> | null {
  const [form, setForm] = useState<ComponentType<Pick<Props, 'email' | 'onSignedIn'>> | null>(null);
  useEffect(() => {
    if (needed) void loadSignInForm().then(({ SignInForm }) => setForm(() => SignInForm));
  }, [needed]);
  return form;
}

/** While the dialog is closed, stores the last focused element in `before`. */
export function useLastFocus(before: { current: Element | null }, opened: boolean): void {
  useEffect(() => {
    if (opened) return;
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof Element) before.current = target;
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [before, opened]);
}
