'use client';

import { TextInput } from '@mantine/core';
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Inputs } from '../../../_components/api-types';
import { type Proof, ProofForm } from '../../../_components/dialogs/proof-form';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog } from './factor-dialog';
import { RecoveryCodes } from './recovery-codes';
import { useFactorChange } from './use-factor-change';

type Transport = NonNullable<Inputs['second_factor']['add_passkey']['response']['response']['transports']>[number];

type Props = { opened: boolean; onClose: () => void };

/** Adds a passkey. The steps are: name and proof, the browser's dialog, recovery codes. */
export function PasskeyDialog({ opened, onClose }: Props) {
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
      title={codes ? 'Store these codes now' : 'Add a passkey'}
      guarded={Boolean(codes)}
    >
      {codes ? (
        <RecoveryCodes codes={codes} onClose={onClose} />
      ) : (
        <ProofForm
          text="A passkey is stored on this device, in your password manager, or on a security key. In the next step, your browser asks where to store the passkey."
          verb="Continue"
          busy={busy}
          error={error}
          disabled={name.trim() === ''}
          onCancel={onClose}
          onProof={create}
        >
          <TextInput
            label="Name"
            description="Helps you tell your passkeys apart. For example, “Laptop”."
            maxLength={100}
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </ProofForm>
      )}
    </FactorDialog>
  );
}

function usePasskeyCreation(name: string, onClose: () => void) {
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
        return after('Passkey added. Your other sessions have ended.');
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
    if (!response) return setRefused({ message: 'The browser did not create a passkey. Try again.' });
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

/**
 * Returns an error with one message for the whole form. If the server's error has messages for fields, the result
 * contains only the first of them, with the field's name in front.
 */
function plain(error: { message: string; data?: { fields?: { path: string; message: string }[] } | null } | null) {
  if (!error) return null;
  const [field] = error.data?.fields ?? [];
  return { message: field ? `The ${field.path === 'name' ? 'name' : 'passkey'} ${field.message}.` : error.message };
}
