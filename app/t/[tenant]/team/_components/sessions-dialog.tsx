'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Ends a member's sessions after a confirmation, for example because a device was lost. */
export function SessionsDialog({ member, opened, onClose }: Props) {
  const t = useTranslations('team.sessions');
  const { name } = member;
  const trpc = useTRPC();
  const after = useTeamChange();
  const end = useMutation(
    trpc.team.end_sessions.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(t('ended', { name }));
      },
    }),
  );
  const close = () => {
    end.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('title', { name })}
      opened={opened}
      onClose={close}
      action={t('action')}
      danger
      busy={end.isPending}
      problem={end.error?.message ?? null}
      onConfirm={() => end.mutate({ user_id: member.user_id })}
    >
      <Points title={t('effects')} points={[t('all', { name }), t('same')]} />
    </ConfirmDialog>
  );
}
