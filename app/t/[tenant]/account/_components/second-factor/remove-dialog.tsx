'use client';

import { useMutation } from '@tanstack/react-query';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog } from './factor-dialog';
import { useFactorChange } from './use-factor-change';

/** What to remove: the authenticator app or a passkey. */
export type Removal = { kind: 'app' } | { kind: 'passkey'; id: string; name: string };

type Props = { removal: Removal; opened: boolean; onClose: () => void };

/** Removes a second factor. */
export function RemoveDialog({ removal, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useFactorChange();
  const done = (message: string) => () => {
    onClose();
    return after(message);
  };
  const app = useMutation(
    trpc.second_factor.remove_totp.mutationOptions({
      onSuccess: done('Authenticator app removed. Your other sessions have ended.'),
    }),
  );
  const passkey = useMutation(
    trpc.second_factor.remove_passkey.mutationOptions({
      onSuccess: done('Passkey removed. Your other sessions have ended.'),
    }),
  );
  const remove = removal.kind === 'app' ? app : passkey;
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={remove.reset}
      title={removal.kind === 'app' ? 'Remove the authenticator app?' : `Remove the passkey ${removal.name}?`}
    >
      <ProofForm
        text={`You will no longer be able to sign in with this ${removal.kind === 'app' ? 'app' : 'passkey'}. If you have no other second factor, your recovery codes will be deleted too.`}
        verb={removal.kind === 'app' ? 'Remove app' : 'Remove passkey'}
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
