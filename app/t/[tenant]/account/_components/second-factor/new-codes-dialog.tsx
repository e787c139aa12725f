'use client';

import { useMutation } from '@tanstack/react-query';
import { ProofForm } from '../../../_components/dialogs/proof-form';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog } from './factor-dialog';
import { RecoveryCodes } from './recovery-codes';
import { useFactorChange } from './use-factor-change';

type Props = { opened: boolean; onClose: () => void };

/** Replaces the recovery codes and shows the new codes once. */
export function NewCodesDialog({ opened, onClose }: Props) {
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
