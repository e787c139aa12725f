'use client';

import { useMutation } from '@tanstack/react-query';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Ends a member's sessions after a confirmation, for example because a device was lost. */
export function SessionsDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const end = useMutation(
    trpc.team.end_sessions.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(`${member.name} signed out everywhere.`);
      },
    }),
  );
  const close = () => {
    end.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Sign out ${member.name} everywhere?`}
      opened={opened}
      onClose={close}
      action="Sign out everywhere"
      danger
      busy={end.isPending}
      problem={end.error?.message ?? null}
      onConfirm={() => end.mutate({ user_id: member.user_id })}
    >
      <Points
        title="What happens"
        points={[
          `All sessions of ${member.name} end at once, on every device.`,
          'Their password and second factor stay the same. With these, they can sign in again.',
        ]}
      />
    </ConfirmDialog>
  );
}
