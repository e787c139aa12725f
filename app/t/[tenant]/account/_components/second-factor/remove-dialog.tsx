'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog } from './factor-dialog';
import { useFactorChange } from './use-factor-change';

/** What to remove: the authenticator app or a passkey. */
export type Removal = { kind: 'app' } | { kind: 'passkey'; id: string; name: string };

type Props = { removal: Removal; opened: boolean; onClose: () => void };

/** Removes a second factor. */
export function RemoveDialog({ removal, opened, onClose }: Props) {
  const t = useTranslations('account.remove');
  const trpc = useTRPC();
  const after = useFactorChange();
  const done = (message: string) => () => {
    onClose();
    return after(message);
  };
  const app = useMutation(
    trpc.second_factor.remove_totp.mutationOptions({
      onSuccess: done(t('appDone')),
    }),
  );
  const passkey = useMutation(
    trpc.second_factor.remove_passkey.mutationOptions({
      onSuccess: done(t('passkeyDone')),
    }),
  );
  const remove = removal.kind === 'app' ? app : passkey;
  return (
    <FactorDialog
      opened={opened}
      onClose={onClose}
      onClosed={remove.reset}
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
