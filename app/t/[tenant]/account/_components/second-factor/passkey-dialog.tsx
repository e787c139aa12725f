'use client';

import { TextInput } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { Inputs } from '../../../_components/api-types';
import { type Proof, ProofForm } from '../../../_components/dialogs/proof-form';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog, useFactorChange } from './recovery-codes';

type Transport = NonNullable<Inputs['second_factor']['add_passkey']['response']['response']['transports']>[number];

type Props = { opened: boolean; onClose: () => void };

/** Adds a passkey. The steps are: name and proof, the browser's dialog, recovery codes. */
export function PasskeyDialog({ opened, onClose }: Props) {
  const t = useTranslations('account');
  const [name, setName] = useState('');
  const { create, busy, error, codes, reset } = usePasskeyCreation(name, onClose);
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={() => {
        reset();
        setName('');
      }}
      title={t('factor.addPasskey')}
      codes={codes}
    >
      <ProofForm
        text={t('passkey.text')}
        verb={t('factor.continue')}
        busy={busy}
        error={error}
        disabled={name.trim() === ''}
        onCancel={onClose}
        onProof={create}
      >
        <TextInput
          label={t('passkey.name')}
          description={t('passkey.nameText')}
          maxLength={100}
          required
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </ProofForm>
    </FactorDialog>
  );
}

function usePasskeyCreation(name: string, onClose: () => void) {
  const t = useTranslations('account.passkey');
  const tCommon = useTranslations('common');
  const plain = (error: Failure | null) => error && { message: problemOf(error, t, tCommon) };
  const trpc = useTRPC();
  const after = useFactorChange();
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<{ message: string } | null>(null);
  const start = useMutation(trpc.second_factor.start_passkey.mutationOptions({ gcTime: 0 }));
  const add = useMutation(
    trpc.second_factor.add_passkey.mutationOptions({
      gcTime: 0,
      onSuccess: ({ recovery_codes }) => {
        if (!recovery_codes) onClose();
        return after(t('done'));
      },
    }),
  );
  const create = async (proof: Proof) => {
    setRefused(null);
    add.reset();
    const made = await start.mutateAsync(proof).catch(() => null);
    if (!made) return;
    // The type that tRPC infers for the options differs from the type that `startRegistration` expects, although the
    // JSON is the same.
    const optionsJSON = made as PublicKeyCredentialCreationOptionsJSON;
    setAsking(true);
    const response = await startRegistration({ optionsJSON }).catch(() => null);
    setAsking(false);
    if (!response) return setRefused({ message: t('notCreated') });
    const { clientDataJSON, attestationObject } = response.response;
    const { id, rawId, type } = response;
    const transports = response.response.transports as Transport[] | undefined;
    const parts = { clientDataJSON, attestationObject, transports };
    add.mutate({ name, response: { id, rawId, type, response: parts, clientExtensionResults: {} } });
  };
  const wrongProof = ['password', 'code'].includes(start.error?.data?.fields?.[0]?.path ?? '') ? start.error : null;
  return {
    create: (proof: Proof) => void create(proof),
    busy: start.isPending || asking || add.isPending,
    error: wrongProof ?? refused ?? plain(add.error) ?? plain(start.error),
    codes: add.data?.recovery_codes,
    reset: () => {
      start.reset();
      add.reset();
      setRefused(null);
    },
  };
}

type Failure = { message: string; data?: { fields?: { path: string; message: string }[] } | null };

function problemOf(
  { message, data }: Failure,
  t: Translator<'account.passkey'>,
  tCommon: Translator<'common'>,
): string {
  const [field] = data?.fields ?? [];
  if (!field) return message;
  return field.path === 'name' ? tCommon('nameProblem', field) : t('problem', field);
}
