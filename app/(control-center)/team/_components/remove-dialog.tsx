'use client';

import { List, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { TeamMember } from '../../_components/api-types';
import { useTRPC } from '../../_components/trpc';
import { AskDialog } from './ask-dialog';
import { useTeamChange } from './use-team-change';

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

/** Removes a member after saying what stops and what does not. */
export function RemoveDialog({ member, opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: () => {
        // Whoever removes themself is signed out by it.
        if (member.is_you) return window.location.assign('/sign-in');
        onClose();
        return after(`${member.name} is removed.`);
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
      action="Remove"
      dangerous
      busy={remove.isPending}
      problem={remove.error?.message ?? null}
      onConfirm={() => remove.mutate({ user_id: member.user_id })}
    >
      <Text size="sm" fw={600}>
        What stops
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>{who} cannot sign in any more, and every open session ends at once.</List.Item>
      </List>
      <Text size="sm" fw={600}>
        What does not
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          Keys that {member.is_you ? 'you' : 'they'} issued go on: revoke them if they may have leaked.
        </List.Item>
        <List.Item>What was done stays in the audit log, with the name.</List.Item>
        <List.Item>A new invitation lets the same person in again.</List.Item>
      </List>
    </AskDialog>
  );
}
