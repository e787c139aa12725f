'use client';

import { useMutation } from '@tanstack/react-query';
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
function problemOf(error: Failure): string | null {
  if (error?.data?.code === 'forbidden')
    return 'You cannot remove the second factor of this account. Ask the operator to remove it.';
  return error?.message ?? null;
}

/** Removes a member's second factors after a confirmation, for example because the member has lost them. */
export function SecondFactorDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const reset = useMutation(
    trpc.team.reset_second_factor.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(`${member.name}’s second factor removed.`);
      },
    }),
  );
  const close = () => {
    reset.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Remove ${member.name}’s second factor?`}
      opened={opened}
      onClose={close}
      action="Remove second factor"
      danger
      busy={reset.isPending}
      problem={problemOf(reset.error)}
      onConfirm={() => reset.mutate({ user_id: member.user_id })}
    >
      <Points
        title="What happens"
        points={[
          `${member.name} can sign in with only the password until they set up a new second factor.`,
          'Their recovery codes stop working, and all their sessions end.',
          'First verify that this person requested the removal, for example by calling them.',
        ]}
      />
    </ConfirmDialog>
  );
}
