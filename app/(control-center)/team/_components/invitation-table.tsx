'use client';

import { Button, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/data-table';
import { Time } from '../../_components/time';
import { useTRPC } from '../../_components/trpc';
import { AskDialog } from './ask-dialog';
import { ROLE_NAMES } from './roles';
import { useTeamChange } from './use-team-change';

/** The links that were not used yet, each of which can be taken back. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <DataTable caption="Open invitations" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={['For', 'Role', 'Invited by', 'Works until', 'Actions']} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td data-label="For" data-wide style={{ overflowWrap: 'anywhere' }}>
                {invitation.email}
              </Table.Td>
              <Table.Td data-label="Role">{ROLE_NAMES[invitation.role]}</Table.Td>
              <Table.Td data-label="Invited by">{invitation.invited_by}</Table.Td>
              <Table.Td data-label="Works until">
                <Time value={invitation.expires_at} /> {invitation.expired && '(ended)'}
              </Table.Td>
              <Table.Td data-actions>
                <Button
                  variant="subtle"
                  color="gray"
                  c="var(--mantine-color-text)"
                  size="compact-sm"
                  aria-label={`Take back the invitation for ${invitation.email}`}
                  onClick={() => {
                    setChosen(invitation);
                    setOpened(true);
                  }}
                >
                  Take back
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </DataTable>
      {chosen && <RevokeDialog invitation={chosen} opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}

type DialogProps = { invitation: Invitation; opened: boolean; onClose: () => void };

function RevokeDialog({ invitation, opened, onClose }: DialogProps) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const revoke = useMutation(
    trpc.team.revoke_invitation.mutationOptions({
      onSuccess: () => {
        onClose();
        return after('The invitation is taken back.');
      },
    }),
  );
  return (
    <AskDialog
      title={`Take back the invitation for ${invitation.email}?`}
      opened={opened}
      onClose={onClose}
      action="Take back"
      dangerous
      busy={revoke.isPending}
      problem={revoke.error?.message ?? null}
      onConfirm={() => revoke.mutate({ invitation_id: invitation.id })}
    >
      <Text size="sm">The link does not work any more from now on. Who has joined with another one stays.</Text>
    </AskDialog>
  );
}
