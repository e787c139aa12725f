'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { CONFIRMED_MINUTES } from '@/lib/access/owners/confirmed-minutes';
import { useTRPC } from '../trpc';
import { Dialog } from './dialog';
import { ProofForm } from './proof-form';

type Props = { opened: boolean; onClose: () => void; onConfirmed: () => void };

/** Asks for a proof of who the user is before a sensitive change, and then lets the change continue. */
export function ConfirmSessionDialog({ opened, onClose, onConfirmed }: Props) {
  const t = useTranslations('common.session');
  const trpc = useTRPC();
  const confirm = useMutation(trpc.session.confirm.mutationOptions({ gcTime: 0, onSuccess: onConfirmed }));
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={t('confirmTitle')}
      size="md"
      zIndex={900}
      onExitTransitionEnd={confirm.reset}
    >
      <ProofForm
        confirms
        text={t('confirmText', { minutes: CONFIRMED_MINUTES })}
        verb={t('confirm')}
        busy={confirm.isPending}
        error={confirm.error}
        onCancel={onClose}
        onProof={confirm.mutate}
      />
    </Dialog>
  );
}
