'use client';

import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useHydrated } from '@/app/_components/use-hydrated';
import { PasswordForm } from '../../account/_components/password-form';
import { useSignOut } from './sign-out';

/** Replaces every page until the member has set a password of their own instead of the one that the operator issued. */
export function RequiredPassword() {
  const t = useTranslations('shell');
  const isHydrated = useHydrated();
  const signOut = useSignOut();
  return (
    <Stack component="main" maw={552} mx="auto" p="md" py="xl">
      <Title order={1} size="h3">
        {t('issuedPassword.title')}
      </Title>
      <Text size="sm">{t('issuedPassword.text')}</Text>
      <PasswordForm current={t('issuedPassword.current')} onChanged={() => window.location.reload()} />
      <Group>
        <Button variant="default" disabled={!isHydrated} onClick={signOut}>
          {t('person.signOut')}
        </Button>
      </Group>
    </Stack>
  );
}
