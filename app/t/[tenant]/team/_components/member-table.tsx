'use client';

import { Badge, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Points } from '../../_components/forms/form-end';
import { DataTable } from '../../_components/tables/data-table';
import { RowButton } from '../../_components/tables/row-button';
import { Table } from '../../_components/tables/table';
import { DAY, MINUTE_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { RoleDialog } from './role-dialog';
import { useTeamChange } from './use-team-change';

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
      <DataTable caption={t('caption')} minWidth={880} columns={COLUMNS.map((name) => t(name))}>
        {members.map((member) => (
          <Row key={member.user_id} member={member} isLast={member.role === 'OWNER' && owners === 1} open={open} />
        ))}
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
        <Hint size="xs" style={{ overflowWrap: 'anywhere' }}>
          {email}
        </Hint>
      </Table.Td>
      <Table.Td data-label={t('role')}>
        {words(`roles.${role}`)}
        {locations && (
          <Hint size="xs">
            {locations.length === 0
              ? limits('onlyDeleted')
              : limits('only', { names: locations.map((one) => one.name).join(', ') })}
          </Hint>
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
          <Hint size="xs">{t('onlyOwner')}</Hint>
        ) : (
          <Group gap={4} wrap="nowrap">
            {second_factor && !is_you && (
              <RowButton label={t('removeFactorOf', { name })} onClick={() => open('second factor', member)}>
                {t('removeFactor')}
              </RowButton>
            )}
            {!is_you && (
              <RowButton label={t('signOutOf', { name })} onClick={() => open('sessions', member)}>
                {t('signOut')}
              </RowButton>
            )}
            <RowButton label={t('changeRoleOf', { name })} onClick={() => open('role', member)}>
              {t('changeRole')}
            </RowButton>
            <RowButton label={t('removeOf', { name })} onClick={() => open('remove', member)}>
              {t('remove')}
            </RowButton>
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

type Props = { member: TeamMember; opened: boolean; onClose: () => void };

function RemoveDialog({ member: { name, is_you, user_id }, opened, onClose }: Props) {
  const t = useTranslations('team.remove');
  const trpc = useTRPC();
  const after = useTeamChange(onClose);
  const remove = useMutation(
    trpc.team.remove.mutationOptions({
      onSuccess: () => {
        // The user is no longer a member of this tenant. The root path opens another tenant of the user. If there is
        // none, the removal has ended the session, and the sign-in page opens.
        if (is_you) return window.location.assign('/');
        return after(t('removed', { name }));
      },
    }),
  );
  return (
    <ConfirmDialog
      title={is_you ? t('titleYou') : t('title', { name })}
      opened={opened}
      onClose={onClose}
      action={is_you ? t('actionYou') : t('action')}
      danger
      change={remove}
      onConfirm={() => remove.mutate({ user_id })}
    >
      <Points of="changes" points={[is_you ? t('accessYou') : t('access', { name })]} />
      <Points
        of="stays"
        points={is_you ? [t('keysYou'), t('auditYou'), t('againYou')] : [t('keys'), t('audit'), t('again')]}
      />
    </ConfirmDialog>
  );
}

function SecondFactorDialog({ member: { name, user_id }, opened, onClose }: Props) {
  const t = useTranslations('team.factor');
  const trpc = useTRPC();
  const after = useTeamChange(onClose);
  const reset = useMutation(
    trpc.team.reset_second_factor.mutationOptions({ onSuccess: () => after(t('removed', { name })) }),
  );
  return (
    <ConfirmDialog
      title={t('title', { name })}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      danger
      change={reset}
      // The member's account also belongs to another business.
      problem={reset.error?.data?.code === 'forbidden' ? t('forbidden') : null}
      onConfirm={() => reset.mutate({ user_id })}
    >
      <Points of="happens" points={[t('password', { name }), t('sessions'), t('verify')]} />
    </ConfirmDialog>
  );
}

function SessionsDialog({ member: { name, user_id }, opened, onClose }: Props) {
  const t = useTranslations('team.sessions');
  const trpc = useTRPC();
  const after = useTeamChange(onClose);
  const end = useMutation(trpc.team.end_sessions.mutationOptions({ onSuccess: () => after(t('ended', { name })) }));
  return (
    <ConfirmDialog
      title={t('title', { name })}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      danger
      change={end}
      onConfirm={() => end.mutate({ user_id })}
    >
      <Points of="happens" points={[t('all', { name }), t('same')]} />
    </ConfirmDialog>
  );
}
