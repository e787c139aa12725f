'use client';

import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useHydrated } from '@/app/_components/use-hydrated';
import { send } from '@/app/(auth)/_components/send';
import { Problem } from '@/app/t/[tenant]/_components/forms/form-end';
import type { Offer } from '@/lib/access/owners/address-proof';

type Props = { offers: Omit<Offer, 'joined_at'>[]; mayJoin: boolean };

/** The businesses that the person can join, each with a button. */
export function Offers({ offers, mayJoin }: Props) {
  const t = useTranslations('signIn');
  const tCommon = useTranslations('common');
  const roleName = useTranslations('words.roles');
  const ready = useHydrated();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const join = async (tenantId: string) => {
    setBusy(tenantId);
    setProblem(null);
    const result = await send('/api/invite', { take_over: tenantId }, t('join.removed'), tCommon);
    if (result.ok) return window.location.assign(`/t/${tenantId}`);
    setProblem(result.message);
    setBusy(null);
  };
  return (
    <Stack>
      <Problem error={problem} />
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {offers.map(({ tenant_id, tenant_name, role }) => (
          <Group component="li" key={tenant_id} justify="space-between" wrap="nowrap">
            <Box miw={0}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {tenant_name}
              </Text>
              <Hint>{roleName(role)}</Hint>
            </Box>
            <Button
              style={{ flex: 'none' }}
              aria-label={t('join.joinNamed', { name: tenant_name })}
              loading={busy === tenant_id}
              disabled={!ready || !mayJoin || (busy !== null && busy !== tenant_id)}
              onClick={() => void join(tenant_id)}
            >
              {t('invitation.join')}
            </Button>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
