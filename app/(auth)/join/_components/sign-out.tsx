'use client';

import { Anchor, Text } from '@mantine/core';
import { signOut } from 'next-auth/react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';

/** The link that signs out a person who has joined no business. */
export function SignOut() {
  const t = useTranslations('signIn.join');
  const common = useTranslations('common');
  const ready = useHydrated();
  const [failed, setFailed] = useState(false);
  return (
    <>
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="left"
        disabled={!ready}
        onClick={() => void signOut({ callbackUrl: '/sign-in' }).catch(() => setFailed(true))}
      >
        {t('signOut')}
      </Anchor>
      {failed && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {common('stillSignedIn')}
        </Text>
      )}
    </>
  );
}
