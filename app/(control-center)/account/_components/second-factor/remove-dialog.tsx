'use client';

import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '../../../_components/trpc';
import { FactorDialog } from './factor-dialog';
import { PasswordStep } from './password-step';
import { useFactorChange } from './use-factor-change';

type Props = { opened: boolean; onClose: () => void };

/** Removes the authenticator app. */
export function RemoveTotpDialog({ opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useFactorChange();
  const remove = useMutation(
    trpc.second_factor.remove_totp.mutationOptions({
      onSuccess: () => {
        onClose();
        return after('Authenticator app removed.');
      },
    }),
  );
  return (
    <FactorDialog opened={opened} onClose={onClose} onClosed={remove.reset} title="Remove the authenticator app?">
      <PasswordStep
        text="Sign-ins no longer require its codes. Without another second factor, your recovery codes are deleted too."
        verb="Remove app"
        danger
        busy={remove.isPending}
        error={remove.error}
        onCancel={onClose}
        onPassword={(password) => remove.mutate({ password })}
      />
    </FactorDialog>
  );
}
