'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { SignInForm } from '@/app/_components/sign-in/sign-in-form';
import type { Role } from '../roles';
import { Dialog } from './dialog';

/** The user for whom a page was rendered. */
export type Person = { name: string; email: string; role: Role; tenantName: string };

type Props = { opened: boolean; email: string; onSignedIn: () => Promise<void> };

/** Covers the page until the user has signed in again, because every call fails without a session. */
export function SessionDialog({ opened, email, onSignedIn }: Props) {
  const t = useTranslations('common.session');
  return (
    <Dialog opened={opened} onClose={() => undefined} guarded title={t('ended')} zIndex={1000}>
      <Text size="sm" mb="md">
        {t('endedText')}
      </Text>
      <SignInForm email={email} onSignedIn={onSignedIn} />
    </Dialog>
  );
}
