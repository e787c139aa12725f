'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

type Failure = { message: string; data?: { code: string } | null } | null;

/**
 * Returns the text for a refused reset. A reset is forbidden if the member's account also belongs to another
 * business.
 */
function problemOf(t: Translator<'team.factor'>, error: Failure): string | null {
  if (error?.data?.code === 'forbidden') return t('forbidden');
  return error?.message ?? null;
}

/** Removes a member's second factors after a confirmation, for example because the member has lost them. */
export function SecondFactorDialog({ member, opened, onClose }: Props) {
  const t = useTranslations('team.factor');
  const { name } = member;
  const trpc = useTRPC();
  const after = useTeamChange();
  const reset = useMutation(
    trpc.team.reset_second_factor.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(t('removed', { name }));
      },
    }),
  );
  const close = () => {
    reset.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={t('title', { name })}
      opened={opened}
      onClose={close}
      action={t('action')}
      danger
      busy={reset.isPending}
      problem={problemOf(t, reset.error)}
      onConfirm={() => reset.mutate({ user_id: member.user_id })}
    >
      <Points title={t('effects')} points={[t('password', { name }), t('sessions'), t('verify')]} />
    </ConfirmDialog>
  );
}
