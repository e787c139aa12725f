'use client';

import { Anchor } from '@mantine/core';
import { signOut } from 'next-auth/react';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';

/** The link that signs out a person who has joined no business. */
export function SignOut() {
  const t = useTranslations('signIn.join');
  const ready = useHydrated();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="left"
      disabled={!ready}
      onClick={() => void signOut({ callbackUrl: '/sign-in' })}
    >
      {t('signOut')}
    </Anchor>
  );
}
