'use client';

import { Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { Form } from '../../../_components/forms/form';
import { FormEnd, Problem } from '../../../_components/forms/form-end';
import { CopyValue } from '../../../_components/id';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog, useFactorChange } from './recovery-codes';

type Props = { opened: boolean; onClose: () => void };

/** Sets up an authenticator app. The steps are: proof, QR code and first code, recovery codes. */
export function TotpDialog({ opened, onClose }: Props) {
  const t = useTranslations('account');
  const trpc = useTRPC();
  const after = useFactorChange();
  const start = useMutation(trpc.second_factor.start_totp.mutationOptions({ gcTime: 0 }));
  const confirm = useMutation(
    trpc.second_factor.confirm_totp.mutationOptions({
      gcTime: 0,
      onSuccess: ({ recovery_codes }) => {
        if (!recovery_codes) onClose();
        return after(t('app.done'));
      },
    }),
  );
  const reset = () => {
    start.reset();
    confirm.reset();
  };
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={reset}
      title={t('factor.setUpApp')}
      codes={confirm.data?.recovery_codes}
    >
      {start.data ? (
        <AppStep
          {...start.data}
          busy={confirm.isPending}
          error={confirm.error}
          onCancel={onClose}
          onCode={(code) => confirm.mutate({ code })}
        />
      ) : (
        <ProofForm
          text={t('app.text')}
          verb={t('factor.continue')}
          busy={start.isPending}
          error={start.error}
          onCancel={onClose}
          onProof={start.mutate}
        />
      )}
    </FactorDialog>
  );
}

type Failure = { message: string; data?: { fields?: { message: string }[] } | null };

type AppProps = {
  secret: string;
  uri: string;
  busy: boolean;
  error: Failure | null;
  onCancel: () => void;
  onCode: (code: string) => void;
};

function AppStep({ secret, uri, busy, error, onCancel, onCode }: AppProps) {
  const t = useTranslations('account.app');
  const tCommon = useTranslations('common');
  const [code, setCode] = useState('');
  const wrong = error?.data?.fields?.[0]?.message;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCode(code);
  };
  return (
    <Form busy={busy} onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('scan')}</Text>
        <Group align="flex-start" gap="lg">
          <QrCode text={uri} label={t('qr')} />
          <Stack gap="sm" flex={1} miw={200}>
            <div>
              <Text size="sm" fw={600}>
                {t('key')}
              </Text>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <Code style={{ overflowWrap: 'anywhere' }}>{secret.match(/.{4}/g)?.join(' ')}</Code>
                <CopyValue value={secret} label={t('copyKey')} />
              </Group>
            </div>
            <TextInput
              label={t('code')}
              placeholder="123456"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              required
              data-autofocus
              autoFocus
              value={code}
              error={wrong && tCommon('fieldProblem', { message: wrong })}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
          </Stack>
        </Group>
        <Problem error={wrong ? null : error} />
        <FormEnd verb={t('setUp')} busy={busy} disabled={code.trim() === ''} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

/** A QR code. It is black on white in both color schemes, because some cameras do not read inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      shapeRendering="crispEdges"
      style={{ background: '#fff', borderRadius: 8, flex: 'none' }}
    >
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
