'use client';

import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useState } from 'react';
import { send } from '@/app/(auth)/_components/send';
import type { Offer } from '@/lib/access/owners/address-proof';

const ROLE_NAMES: Record<Offer['role'], string> = { OWNER: 'Owner', SUPPORT: 'Support', FRONT_DESK: 'Front desk' };

type Props = { offers: Omit<Offer, 'joined_at'>[]; mayJoin: boolean };

/** The businesses that the person can join, each with a button. */
export function Offers({ offers, mayJoin }: Props) {
  const ready = useMounted();
  const [busy, setBusy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const join = async (tenantId: string) => {
    setBusy(tenantId);
    setProblem(null);
    const result = await send('/api/invite', { take_over: tenantId }, 'The owner has removed this account.');
    if (result.ok) return window.location.assign(`/t/${tenantId}`);
    setProblem(result.message);
    setBusy(null);
  };
  return (
    <Stack>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {offers.map(({ tenant_id, tenant_name, role }) => (
          <Group component="li" key={tenant_id} justify="space-between" wrap="nowrap">
            <Box miw={0}>
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {tenant_name}
              </Text>
              <Text size="sm" c="dimmed">
                {ROLE_NAMES[role]}
              </Text>
            </Box>
            <Button
              style={{ flex: 'none' }}
              aria-label={`Join ${tenant_name}`}
              loading={busy === tenant_id}
              disabled={!ready || !mayJoin || (busy !== null && busy !== tenant_id)}
              onClick={() => void join(tenant_id)}
            >
              Join
            </Button>
          </Group>
        ))}
      </Stack>
    </Stack>
  );
}
