'use client';

import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Invitation } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useTeamChange } from './use-team-change';

const COLUMNS = ['email', 'role', 'invitedBy', 'expires', 'actions'] as const;

/** The open invitations, each with a button to revoke it. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const t = useTranslations('team');
  const words = useTranslations('words');
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <DataTable caption={t('openInvitations')} minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={COLUMNS.map((name) => t(`invitations.${name}`))} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invitations.map((invitation) => (
            <Table.Tr key={invitation.id}>
              <Table.Td data-label={t('invitations.email')} data-wide style={{ overflowWrap: 'anywhere' }}>
                {invitation.email}
              </Table.Td>
              <Table.Td data-label={t('invitations.role')}>
                {words(`roles.${invitation.role}`)}
                {invitation.locations !== null && (
                  <Text size="xs" c="dimmed">
                    {t('locations.onlyCount', { count: invitation.locations })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td data-label={t('invitations.invitedBy')}>{invitation.invited_by}</Table.Td>
              <Table.Td data-label={t('invitations.expires')}>
                <Time value={invitation.expires_at} /> {invitation.expired && t('invitations.expired')}
              </Table.Td>
              <Table.Td data-actions>
                <Button
                  variant="subtle"
                  color="gray"
                  c="var(--mantine-color-text)"
                  size="compact-sm"
                  aria-label={t('invitations.revokeFor', { email: invitation.email })}
                  onClick={() => {
                    setChosen(invitation);
                    setOpened(true);
                  }}
                >
                  {t('invitations.revoke')}
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
  const t = useTranslations('team.invitations');
  const trpc = useTRPC();
  const after = useTeamChange();
  const revoke = useMutation(
    trpc.team.revoke_invitation.mutationOptions({
      onSuccess: () => {
        onClose();
        return after(t('revoked'));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={t('title', { email: invitation.email })}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      danger
      busy={revoke.isPending}
      problem={revoke.error?.message ?? null}
      onConfirm={() => revoke.mutate({ invitation_id: invitation.id })}
    >
      <Text size="sm">{t('effect')}</Text>
    </ConfirmDialog>
  );
}
