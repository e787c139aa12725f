'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Asks the user to confirm the removal of a member, and explains the effects. */
export function RemoveDialog({ member, opened, onClose }: Props) {
  const t = useTranslations('team.remove');
  const { name } = member;
  const trpc = useTRPC();
  const after = useTeamChange();
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: () => {
        // The user is no longer a member of this tenant. The root path opens another tenant of the user. If there is
        // none, the removal has ended the session, and the sign-in page opens.
        if (member.is_you) return window.location.assign('/');
        onClose();
        return after(t('removed', { name }));
      },
    }),
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={member.is_you ? t('titleYou') : t('title', { name })}
      opened={opened}
      onClose={close}
      action={member.is_you ? t('actionYou') : t('action')}
      danger
      busy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id })}
    >
      <Points title={t('changes')} points={[member.is_you ? t('accessYou') : t('access', { name })]} />
      <Points
        title={t('stays')}
        points={member.is_you ? [t('keysYou'), t('auditYou'), t('againYou')] : [t('keys'), t('audit'), t('again')]}
      />
    </ConfirmDialog>
  );
}
