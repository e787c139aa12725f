'use client';

import { List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { TeamMember } from '../../_components/api-types';
import { useTRPC } from '../../_components/trpc';
import { AskDialog } from './ask-dialog';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Confirms the removal of a member and explains its effects. */
export function RemoveDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: () => {
        // Removing yourself ends your session.
        if (member.is_you) return window.location.assign('/sign-in');
        onClose();
        return after(`${member.name} removed.`);
      },
    }),
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  const who = member.is_you ? 'You' : member.name;
  return (
    <AskDialog
      title={member.is_you ? 'Remove yourself?' : `Remove ${member.name}?`}
      opened={opened}
      onClose={close}
      action={member.is_you ? 'Remove yourself' : 'Remove member'}
      dangerous
      busy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id })}
    >
      <Text size="sm" fw={600}>
        What changes
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>{who} can no longer sign in, and all open sessions end.</List.Item>
      </List>
      <Text size="sm" fw={600}>
        What does not change
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          Keys that {member.is_you ? 'you' : 'they'} issued keep working. Revoke them if they may have leaked.
        </List.Item>
        <List.Item>Their changes stay in the audit log, with the name.</List.Item>
        <List.Item>A new invitation lets them join again.</List.Item>
      </List>
    </AskDialog>
  );
}
