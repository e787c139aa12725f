'use client';

import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TeamMember } from '../../_components/api-types';
import { Columns, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { DAY, MINUTE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { RemoveDialog } from './remove-dialog';
import { RoleDialog } from './role-dialog';
import { SecondFactorDialog } from './second-factor-dialog';
import { SessionsDialog } from './sessions-dialog';

type Open = { what: 'role' | 'second factor' | 'sessions' | 'remove'; member: TeamMember };

const COLUMNS = ['name', 'role', 'joined', 'lastSignIn', 'secondFactor', 'actions'] as const;

/** The members of the tenant. The only owner can be neither removed nor demoted. */
export function MemberTable({ members }: { members: TeamMember[] }) {
  const t = useTranslations('team.members');
  // Keeps the chosen member while the dialog fades out so that the dialog's content does not change.
  const [chosen, setChosen] = useState<Open | null>(null);
  const [opened, setOpened] = useState<Open['what'] | null>(null);
  const owners = members.filter(({ role }) => role === 'OWNER').length;
  const open = (what: Open['what'], member: TeamMember) => {
    setChosen({ what, member });
    setOpened(what);
  };
  const close = () => setOpened(null);
  return (
    <>
      <DataTable caption={t('caption')} minWidth={880}>
        <Table.Thead>
          <Table.Tr>
            <Columns labels={COLUMNS.map((name) => t(name))} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Row key={member.user_id} member={member} isLast={member.role === 'OWNER' && owners === 1} open={open} />
          ))}
        </Table.Tbody>
      </DataTable>
      {chosen && (
        <>
          <RoleDialog member={chosen.member} opened={opened === 'role'} onClose={close} />
          <SecondFactorDialog member={chosen.member} opened={opened === 'second factor'} onClose={close} />
          <SessionsDialog member={chosen.member} opened={opened === 'sessions'} onClose={close} />
          <RemoveDialog member={chosen.member} opened={opened === 'remove'} onClose={close} />
        </>
      )}
    </>
  );
}

type RowProps = { member: TeamMember; isLast: boolean; open: (what: Open['what'], member: TeamMember) => void };

function Row({ member, isLast, open }: RowProps) {
  const t = useTranslations('team.members');
  const words = useTranslations('words');
  const limits = useTranslations('team.locations');
  const { name, email, role, locations, is_you, second_factor } = member;
  return (
    <Table.Tr>
      <Table.Td data-label={t('name')} data-wide>
        <Text size="sm" fw={600}>
          {name} {is_you && <Badge variant="default">{t('you')}</Badge>}
        </Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('role')}>
        {words(`roles.${role}`)}
        {locations && (
          <Text size="xs" c="dimmed">
            {locations.length === 0
              ? limits('onlyDeleted')
              : limits('only', { names: locations.map((one) => one.name).join(', ') })}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label={t('joined')}>
        <Time value={member.joined_at} options={DAY} />
      </Table.Td>
      <Table.Td data-label={t('lastSignIn')}>
        {member.last_sign_in_at ? <Time value={member.last_sign_in_at} options={MINUTE_TIME} /> : t('never')}
      </Table.Td>
      <Table.Td data-label={t('secondFactor')}>{second_factor ? t('on') : t('off')}</Table.Td>
      <Table.Td data-actions>
        {isLast ? (
          <Text size="xs" c="dimmed">
            {t('onlyOwner')}
          </Text>
        ) : (
          <Group gap={4} wrap="nowrap">
            {second_factor && !is_you && (
              <Action label={t('removeFactorOf', { name })} onClick={() => open('second factor', member)}>
                {t('removeFactor')}
              </Action>
            )}
            {!is_you && (
              <Action label={t('signOutOf', { name })} onClick={() => open('sessions', member)}>
                {t('signOut')}
              </Action>
            )}
            <Action label={t('changeRoleOf', { name })} onClick={() => open('role', member)}>
              {t('changeRole')}
            </Action>
            <Action label={t('removeOf', { name })} onClick={() => open('remove', member)}>
              {t('remove')}
            </Action>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

type ActionProps = { label: string; onClick: () => void; children: string };

function Action({ label, onClick, children }: ActionProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      c="var(--mantine-color-text)"
      size="compact-sm"
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
