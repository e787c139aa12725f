'use client';

import { useMutation } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { CONFIRMED_MINUTES } from '@/lib/access/owners/confirmed-minutes';
import { Dialog } from './dialog';
import { takeBackFocus } from './focus-memory';
import { useLastFocus } from './session-dialog';
import { useTRPC } from './trpc';

const ProofForm = dynamic(() => import('./proof-form').then((module) => module.ProofForm), { ssr: false });

type Props = { opened: boolean; onClose: () => void; onConfirmed: () => void };

/** Asks for a proof of who the user is before a sensitive change, and then lets the change continue. */
export function ConfirmSessionDialog({ opened, onClose, onConfirmed }: Props) {
  const trpc = useTRPC();
  const before = useRef<Element | null>(null);
  const body = useRef<HTMLDivElement>(null);
  useLastFocus(before, opened);
  const confirm = useMutation(trpc.session.confirm.mutationOptions({ gcTime: 0, onSuccess: onConfirmed }));
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Confirm that it is you"
      size="md"
      zIndex={900}
      returnFocus={false}
      onExitTransitionEnd={() => {
        confirm.reset();
        takeBackFocus(before.current, body.current);
      }}
    >
      <div ref={body}>
        <ProofForm
          confirms
          text={`You last proved who you are more than ${CONFIRMED_MINUTES} minutes ago. Confirm that it is you to continue.`}
          verb="Confirm"
          busy={confirm.isPending}
          error={confirm.error}
          onCancel={onClose}
          onProof={confirm.mutate}
        />
      </div>
    </Dialog>
  );
}
