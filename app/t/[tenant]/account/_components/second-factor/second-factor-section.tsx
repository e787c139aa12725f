'use client';

import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SecondFactors } from '../../../_components/api-types';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { ErrorState, LoadingRows } from '../../../_components/states';
import { DAY } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { StateBadge } from '../../../applications/_components/state-badge';
import { FactorDialog } from './factor-dialog';
import { PasskeyDialog } from './passkey-dialog';
import { RecoveryCodes } from './recovery-codes';
import { type Removal, RemoveDialog } from './remove-dialog';
import { TotpDialog } from './totp-dialog';
import { useFactorChange } from './use-factor-change';

type Open = 'totp' | 'passkey' | 'remove' | 'codes';

/** The second factors of the signed-in user, and the buttons to change them. */
export function SecondFactorSection() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.second_factor.get.queryOptions());
  const [opened, setOpened] = useState<Open | null>(null);
  // This value is kept while the dialog fades out, so that the dialog's title does not change.
  const [removal, setRemoval] = useState<Removal>({ kind: 'app' });
  const close = () => setOpened(null);
  const remove = (next: Removal) => {
    setRemoval(next);
    setOpened('remove');
  };
  return (
    <Paper
      component="section"
      withBorder
      p="md"
      maw={520}
      bg="var(--app-surface)"
      aria-label="Two-factor authentication"
    >
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h5">
            Two-factor authentication
          </Title>
          {data && <State on={data.totp_since !== null || data.passkeys.length > 0} />}
        </Group>
        <Text size="sm" c="dimmed">
          A second factor protects your account if someone learns your password. Each time you sign in, you then need
          your second factor, too.
        </Text>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={2} height={44} />}
        {data && <Factors factors={data} open={setOpened} remove={remove} />}
      </Stack>
      <TotpDialog opened={opened === 'totp'} onClose={close} />
      <PasskeyDialog opened={opened === 'passkey'} onClose={close} />
      <RemoveDialog removal={removal} opened={opened === 'remove'} onClose={close} />
      <NewCodesDialog opened={opened === 'codes'} onClose={close} />
    </Paper>
  );
}

function State({ on }: { on: boolean }) {
  return on ? <StateBadge tone="good">On</StateBadge> : <StateBadge tone="neutral">Off</StateBadge>;
}

type FactorsProps = { factors: SecondFactors; open: (dialog: Open) => void; remove: (removal: Removal) => void };

function Factors({ factors, open, remove }: FactorsProps) {
  const { totp_since, passkeys, passkeys_possible, recovery_codes } = factors;
  return (
    <Stack gap="sm">
      <Line
        title="Authenticator app"
        text={totp_since ? <Since verb="Set up" date={totp_since} /> : 'Not set up'}
        action={totp_since ? 'Remove' : 'Set up'}
        label={totp_since ? 'Remove the authenticator app' : 'Set up an authenticator app'}
        onAct={() => (totp_since ? remove({ kind: 'app' }) : open('totp'))}
      />
      {passkeys.map(({ id, name, created_at, last_used_at }) => (
        <Line
          key={id}
          title={`Passkey “${name}”`}
          text={<Since verb={last_used_at ? 'Last used' : 'Added'} date={last_used_at ?? created_at} />}
          action="Remove"
          label={`Remove the passkey ${name}`}
          onAct={() => remove({ kind: 'passkey', id, name })}
        />
      ))}
      {passkeys_possible && (
        <Line
          title="New passkey"
          text="Stored on this device or a security key"
          action="Add"
          label="Add a passkey"
          onAct={() => open('passkey')}
        />
      )}
      {(totp_since || passkeys.length > 0) && (
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

function Since({ verb, date }: { verb: string; date: string }) {
  return (
    <>
      {verb} on <Time value={date} options={DAY} />
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

type Props = { opened: boolean; onClose: () => void };

/** Replaces the recovery codes and shows the new codes once. */
function NewCodesDialog({ opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useFactorChange();
  const create = useMutation(
    trpc.second_factor.new_codes.mutationOptions({
      gcTime: 0,
      onSuccess: () => after('Recovery codes created. Your other sessions have ended.'),
    }),
  );
  const codes = create.data?.recovery_codes;
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={create.reset}
      title={codes ? 'Store these codes now' : 'New recovery codes'}
      guarded={codes !== undefined}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <ProofForm
          text="Your current recovery codes will stop working, and your other sessions will end."
          verb="Create codes"
          busy={create.isPending}
          error={create.error}
          onCancel={onClose}
          onProof={create.mutate}
        />
      )}
    </FactorDialog>
  );
}
