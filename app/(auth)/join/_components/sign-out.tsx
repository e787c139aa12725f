'use client';

import { Anchor } from '@mantine/core';
import { signOut } from 'next-auth/react';

/** The link that signs out a person who has joined no business. */
export function SignOut() {
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      onClick={() => void signOut({ callbackUrl: '/sign-in' })}
    >
      Sign out
    </Anchor>
  );
}
