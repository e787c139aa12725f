'use client';

import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { tenantPath } from '@/app/_components/tenant-path';
import { useHydrated } from '@/app/_components/use-hydrated';
import type { TenantChoice } from '@/lib/access/owners/memberships';
import { SecondFactorSection } from '../../account/_components/second-factor/second-factor-section';
import { useTRPC } from '../trpc';
import { useSignOut } from './sign-out';

/** `others` are the user's other businesses. */
export type RequiredSetupProps = { tenantName: string; others: readonly TenantChoice[] };

/** Replaces every page until the member has set up the second factor that the business requires. */
export function RequiredSetup({ tenantName, others }: RequiredSetupProps) {
  const t = useTranslations('shell');
  const trpc = useTRPC();
  const isHydrated = useHydrated();
  const signOut = useSignOut();
  const { data } = useQuery(trpc.second_factor.get.queryOptions());
  const done = data !== undefined && (data.totp_since !== null || data.passkeys.length > 0);
  return (
    <Stack component="main" maw={552} mx="auto" p="md" py="xl">
      <Title order={1} size="h3" style={{ overflowWrap: 'anywhere' }}>
        {t('requiredFactor.title', { tenant: tenantName })}
      </Title>
      <Text size="sm">{t('requiredFactor.text')}</Text>
      <SecondFactorSection />
      <Group justify="space-between">
        <Button variant="default" disabled={!isHydrated} onClick={signOut}>
          {t('person.signOut')}
        </Button>
        <Button disabled={!done} onClick={() => window.location.reload()}>
          {t('requiredFactor.continue')}
        </Button>
      </Group>
      {others.map(({ id, name }) => (
        <Anchor key={id} href={tenantPath(id, '/')} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('requiredFactor.open', { name })}
        </Anchor>
      ))}
    </Stack>
  );
}
