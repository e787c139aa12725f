'use client';

import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactors } from '../../../_components/api-types';
import { DAY } from '../../../_components/moments';
import { ErrorState, LoadingRows } from '../../../_components/states';
import { Time } from '../../../_components/time';
import { useTRPC } from '../../../_components/trpc';
import { StateBadge } from '../../../applications/_components/state-badge';
import { NewCodesDialog } from './new-codes-dialog';
import { RemoveTotpDialog } from './remove-dialog';
import { TotpDialog } from './totp-dialog';

type Open = 'totp' | 'remove-totp' | 'codes';

/** The second factors of the signed-in user, and the buttons to change them. */
export function SecondFactorSection() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.second_factor.get.queryOptions());
  const [opened, setOpened] = useState<Open | null>(null);
  const close = () => setOpened(null);
  return (
    <Paper component="section" withBorder p="md" maw={520} bg="var(--app-surface)" aria-label="Second factor">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h5">
            Second factor
          </Title>
          {data && <State on={data.totp_since !== null} />}
        </Group>
        <Text size="sm" c="dimmed">
          A second factor protects your account if someone learns your password. It is required after the password at
          each sign-in.
        </Text>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={2} height={44} />}
        {data && <Factors factors={data} open={setOpened} />}
      </Stack>
      <TotpDialog opened={opened === 'totp'} onClose={close} />
      <RemoveTotpDialog opened={opened === 'remove-totp'} onClose={close} />
      <NewCodesDialog opened={opened === 'codes'} onClose={close} />
    </Paper>
  );
}

function State({ on }: { on: boolean }) {
  return on ? <StateBadge tone="good">On</StateBadge> : <StateBadge tone="neutral">Off</StateBadge>;
}

function Factors({ factors, open }: { factors: SecondFactors; open: (dialog: Open) => void }) {
  const { totp_since, recovery_codes } = factors;
  return (
    <Stack gap="sm">
      <Line
        title="Authenticator app"
        text={totp_since ? <Since date={totp_since} /> : 'Not set up'}
        action={totp_since ? 'Remove' : 'Set up'}
        label={totp_since ? 'Remove the authenticator app' : 'Set up an authenticator app'}
        onAct={() => open(totp_since ? 'remove-totp' : 'totp')}
      />
      {totp_since && (
        <Line
          title="Recovery codes"
          text={`${recovery_codes} of 10 left`}
          action="New codes"
          label="Create new recovery codes"
          onAct={() => open('codes')}
        />
      )}
    </Stack>
  );
}

function Since({ date }: { date: string }) {
  return (
    <>
      Set up on <Time value={date} options={DAY} />
    </>
  );
}

type LineProps = { title: string; text: React.ReactNode; action: string; label: string; onAct: () => void };

function Line({ title, text, action, label, onAct }: LineProps) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      <Button variant="default" size="compact-sm" aria-label={label} onClick={onAct}>
        {action}
      </Button>
    </Group>
  );
}
