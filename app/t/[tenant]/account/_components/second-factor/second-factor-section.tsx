'use client';

import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { SecondFactors } from '../../../_components/api-types';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { Panel } from '../../../_components/panel';
import { NotLoaded } from '../../../_components/states';
import { DAY } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { StateBadge } from '../../../applications/_components/state-badge';
import { PasskeyDialog } from './passkey-dialog';
import { FactorDialog, useFactorChange } from './recovery-codes';
import { TotpDialog } from './totp-dialog';

type Open = 'totp' | 'passkey' | 'remove' | 'codes';

/** The second factors of the signed-in user, and the buttons to change them. */
export function SecondFactorSection() {
  const t = useTranslations('account.factor');
  const trpc = useTRPC();
  const loaded = useQuery(trpc.second_factor.get.queryOptions());
  const { data, error } = loaded;
  const [opened, setOpened] = useState<Open | null>(null);
  // This value is kept while the dialog fades out, so that the dialog's title does not change.
  const [removal, setRemoval] = useState<Removal>({ kind: 'app' });
  const close = () => setOpened(null);
  const remove = (next: Removal) => {
    setRemoval(next);
    setOpened('remove');
  };
  return (
    <Panel title={t('title')} aside={data && <State on={data.totp_since !== null || data.passkeys.length > 0} />}>
      <Hint>{t('text')}</Hint>
      {(error || !data) && <NotLoaded query={loaded} rows={2} />}
      {data && <Factors factors={data} open={setOpened} remove={remove} />}
      <TotpDialog opened={opened === 'totp'} onClose={close} />
      <PasskeyDialog opened={opened === 'passkey'} onClose={close} />
      <RemoveDialog removal={removal} opened={opened === 'remove'} onClose={close} />
      <NewCodesDialog opened={opened === 'codes'} onClose={close} />
    </Panel>
  );
}

function State({ on }: { on: boolean }) {
  const t = useTranslations('account.factor');
  return on ? <StateBadge tone="good">{t('on')}</StateBadge> : <StateBadge tone="neutral">{t('off')}</StateBadge>;
}

type FactorsProps = { factors: SecondFactors; open: (dialog: Open) => void; remove: (removal: Removal) => void };

function Factors({ factors, open, remove }: FactorsProps) {
  const t = useTranslations('account.factor');
  const { totp_since, passkeys, passkeys_possible, recovery_codes } = factors;
  const on = (key: 'setUpOn' | 'usedOn' | 'addedOn', date: string) =>
    t.rich(key, { time: () => <Time value={date} options={DAY} /> });
  return (
    <Stack gap="sm">
      <Line
        title={t('app')}
        text={totp_since ? on('setUpOn', totp_since) : t('notSetUp')}
        action={totp_since ? t('remove') : t('setUp')}
        label={totp_since ? t('removeApp') : t('setUpApp')}
        onAct={() => (totp_since ? remove({ kind: 'app' }) : open('totp'))}
      />
      {passkeys.map(({ id, name, created_at, last_used_at }) => (
        <Line
          key={id}
          title={t('passkey', { name })}
          text={last_used_at ? on('usedOn', last_used_at) : on('addedOn', created_at)}
          action={t('remove')}
          label={t('removePasskey', { name })}
          onAct={() => remove({ kind: 'passkey', id, name })}
        />
      ))}
      {passkeys_possible && (
        <Line
          title={t('newPasskey')}
          text={t('newPasskeyText')}
          action={t('add')}
          label={t('addPasskey')}
          onAct={() => open('passkey')}
        />
      )}
      {(totp_since || passkeys.length > 0) && (
        <Line
          title={t('codes')}
          text={t('codesLeft', { count: recovery_codes })}
          action={t('newCodes')}
          label={t('createCodes')}
          onAct={() => open('codes')}
        />
      )}
    </Stack>
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
        <Hint>{text}</Hint>
      </div>
      <Button variant="default" size="compact-sm" style={{ flex: 'none' }} aria-label={label} onClick={onAct}>
        {action}
      </Button>
    </Group>
  );
}

type Props = { opened: boolean; onClose: () => void };

function NewCodesDialog({ opened, onClose }: Props) {
  const t = useTranslations('account.factor');
  const trpc = useTRPC();
  const after = useFactorChange();
  const create = useMutation(
    trpc.second_factor.new_codes.mutationOptions({
      gcTime: 0,
      onSuccess: () => after(t('codesCreated')),
    }),
  );
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={create.reset}
      title={t('newCodesTitle')}
      codes={create.data?.recovery_codes}
    >
      <ProofForm
        text={t('newCodesText')}
        verb={t('newCodesVerb')}
        busy={create.isPending}
        error={create.error}
        onCancel={onClose}
        onProof={create.mutate}
      />
    </FactorDialog>
  );
}

type Removal = { kind: 'app' } | { kind: 'passkey'; id: string; name: string };

type RemoveDialogProps = { removal: Removal; opened: boolean; onClose: () => void };

function RemoveDialog({ removal, opened, onClose }: RemoveDialogProps) {
  const t = useTranslations('account.remove');
  const trpc = useTRPC();
  const after = useFactorChange();
  const done = (message: string) => () => {
    onClose();
    return after(message);
  };
  const app = useMutation(trpc.second_factor.remove_totp.mutationOptions({ onSuccess: done(t('appDone')) }));
  const passkey = useMutation(trpc.second_factor.remove_passkey.mutationOptions({ onSuccess: done(t('passkeyDone')) }));
  const remove = removal.kind === 'app' ? app : passkey;
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={remove.reset}
      codes={null}
      title={removal.kind === 'app' ? t('appTitle') : t('passkeyTitle', { name: removal.name })}
    >
      <ProofForm
        text={removal.kind === 'app' ? t('appText') : t('passkeyText')}
        verb={removal.kind === 'app' ? t('app') : t('passkey')}
        danger
        busy={remove.isPending}
        error={remove.error}
        onCancel={onClose}
        onProof={(proof) =>
          removal.kind === 'app' ? app.mutate(proof) : passkey.mutate({ ...proof, passkey_id: removal.id })
        }
      />
    </FactorDialog>
  );
}
