'use client';

import { useMutation } from '@tanstack/react-query';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Asks the user to confirm the removal of a member, and explains the effects. */
export function RemoveDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: () => {
        // The user is no longer a member of this tenant. The root path opens another tenant of the user. If there is
        // none, the removal has ended the session, and the sign-in page opens.
        if (member.is_you) return window.location.assign('/');
        onClose();
        return after(`${member.name} removed.`);
      },
    }),
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      title={member.is_you ? 'Remove yourself?' : `Remove ${member.name}?`}
      opened={opened}
      onClose={close}
      action={member.is_you ? 'Remove yourself' : 'Remove member'}
      danger
      busy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id })}
    >
      <Points
        title="What changes"
        points={[
          member.is_you
            ? 'You can no longer open this business. If you have no other business, your sessions end.'
            : `${member.name} can no longer open this business.`,
        ]}
      />
      <Points
        title="What does not change"
        points={
          member.is_you
            ? [
                'API keys that you issued and calendar feeds keep working. Revoke any that might have leaked.',
                'Your changes stay in the audit log, with your name.',
                'With a new invitation, you can join again.',
              ]
            : [
                'API keys issued by this member and calendar feeds keep working. Revoke any that might have leaked.',
                'Their changes stay in the audit log, with their name.',
                'With a new invitation, they can join again.',
              ]
        }
      />
    </ConfirmDialog>
  );
}
