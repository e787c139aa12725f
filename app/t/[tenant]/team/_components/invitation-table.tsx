'use client';

import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Invitation } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { plural } from '../../_components/format';
import { ROLE_NAMES } from '../../_components/roles';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

/** The open invitations, each with a button to revoke it. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <DataTable caption="Open invitations" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={['Email address', 'Role', 'Invited by', 'Expires', 'Actions']} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td data-label="Email address" data-wide style={{ overflowWrap: 'anywhere' }}>
                {invitation.email}
              </Table.Td>
              <Table.Td data-label="Role">
                {ROLE_NAMES[invitation.role]}
                {invitation.locations !== null && (
                  <Text size="xs" c="dimmed">
                    Only {plural(invitation.locations, 'location')}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-label="Invited by">{invitation.invited_by}</Table.Td>
              <Table.Td data-label="Expires">
                <Time value={invitation.expires_at} /> {invitation.expired && '(expired)'}
              </Table.Td>
              <Table.Td data-actions>
                <Button
                  variant="subtle"
                  color="gray"
                  c="var(--mantine-color-text)"
                  size="compact-sm"
                  aria-label={`Revoke the invitation for ${invitation.email}`}
                  onClick={() => {
                    setChosen(invitation);
                    setOpened(true);
                  }}
                >
                  Revoke
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
        return after('Invitation revoked.');
      },
    }),
  );
  return (
    <ConfirmDialog
      title={`Revoke the invitation for ${invitation.email}?`}
      opened={opened}
      onClose={onClose}
      action="Revoke invitation"
      danger
      busy={revoke.isPending}
      problem={revoke.error?.message ?? null}
      onConfirm={() => revoke.mutate({ invitation_id: invitation.id })}
    >
      <Text size="sm">The link stops working. Current members are not affected.</Text>
    </ConfirmDialog>
  );
}
