'use client';

import { Button, Code, Group, Paper, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Invitation, TeamMember } from '../../_components/api-types';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { Dialog } from '../../_components/dialogs/dialog';
import { Form } from '../../_components/forms/form';
import { FormEnd, Points, Problem } from '../../_components/forms/form-end';
import { CopyValue } from '../../_components/id';
import { PageHeader } from '../../_components/shell/page-header';
import { NotLoaded } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { RowButton } from '../../_components/tables/row-button';
import { Table } from '../../_components/tables/table';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { type Limit, LocationLimit, limitProblem } from './location-limit';
import { MemberTable } from './member-table';
import { RoleField } from './role-dialog';
import { useTeamChange } from './use-team-change';

/** The members, the open invitations, and a button to invite members. */
export function TeamView() {
  const trpc = useTRPC();
  const t = useTranslations('team');
  const team = useQuery(trpc.team.list.queryOptions());
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          team.data && (
            <Button onClick={open} leftSection={<IconUserPlus size={16} aria-hidden />}>
              {t('invite')}
            </Button>
          )
        }
      />
      {(team.isError || team.isPending) && <NotLoaded query={team} rows={4} height={56} />}
      {team.data && (
        <Stack gap="xl">
          <MemberTable members={team.data.members} />
          <RequiredSwitch
            required={team.data.second_factor_required}
            youHaveOne={team.data.members.some(({ is_you, second_factor }) => is_you && second_factor)}
          />
          {team.data.invitations.length > 0 && (
            <Stack gap="sm">
              <Title order={2} size="h4">
                {t('openInvitations')}
              </Title>
              <InvitationTable invitations={team.data.invitations} />
            </Stack>
          )}
        </Stack>
      )}
      <InviteDialog opened={opened} onClose={close} />
    </>
  );
}

type Props = { required: boolean; youHaveOne: boolean };

function RequiredSwitch({ required, youHaveOne }: Props) {
  const t = useTranslations('team.required');
  const trpc = useTRPC();
  const [opened, { open, close }] = useDisclosure();
  const after = useTeamChange(close);
  const change = useMutation(
    trpc.team.require_second_factor.mutationOptions({
      onSuccess: ({ required: isOn }) => after(isOn ? t('on') : t('off')),
    }),
  );
  return (
    <Paper withBorder p="md" bg="var(--app-surface)">
      <Switch
        label={t('switch')}
        description={required || youHaveOne ? t('hint') : t('ownFirst')}
        checked={required}
        disabled={!required && !youHaveOne}
        onChange={open}
      />
      <ConfirmDialog
        title={required ? t('offTitle') : t('onTitle')}
        opened={opened}
        onClose={close}
        action={required ? t('offAction') : t('onAction')}
        danger={required}
        change={change}
        onConfirm={() => change.mutate({ required: !required })}
      >
        <Points of="happens" points={required ? [t('mayRemove'), t('stillNeeded')] : [t('mustSetUp'), t('partners')]} />
      </ConfirmDialog>
    </Paper>
  );
}

const COLUMNS = ['email', 'role', 'invitedBy', 'expires', 'actions'] as const;

function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const t = useTranslations('team');
  const words = useTranslations('words');
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <DataTable
        caption={t('openInvitations')}
        minWidth={720}
        columns={COLUMNS.map((name) => t(`invitations.${name}`))}
      >
        {invitations.map((invitation) => (
          <Table.Tr key={invitation.id}>
            <Table.Td data-label={t('invitations.email')} data-wide style={{ overflowWrap: 'anywhere' }}>
              {invitation.email}
            </Table.Td>
            <Table.Td data-label={t('invitations.role')}>
              {words(`roles.${invitation.role}`)}
              {invitation.locations !== null && (
                <Hint size="xs">{t('locations.onlyCount', { count: invitation.locations })}</Hint>
              )}
            </Table.Td>
            <Table.Td data-label={t('invitations.invitedBy')}>{invitation.invited_by}</Table.Td>
            <Table.Td data-label={t('invitations.expires')}>
              <Time value={invitation.expires_at} /> {invitation.expired && t('invitations.expired')}
            </Table.Td>
            <Table.Td data-actions>
              <RowButton
                label={t('invitations.revokeFor', { email: invitation.email })}
                onClick={() => {
                  setChosen(invitation);
                  setOpened(true);
                }}
              >
                {t('invitations.revoke')}
              </RowButton>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {chosen && <RevokeDialog invitation={chosen} opened={opened} onClose={() => setOpened(false)} />}
    </>
  );
}

type DialogProps = { invitation: Invitation; opened: boolean; onClose: () => void };

function RevokeDialog({ invitation, opened, onClose }: DialogProps) {
  const t = useTranslations('team.invitations');
  const trpc = useTRPC();
  const after = useTeamChange(onClose);
  const revoke = useMutation(trpc.team.revoke_invitation.mutationOptions({ onSuccess: () => after(t('revoked')) }));
  return (
    <ConfirmDialog
      title={t('title', { email: invitation.email })}
      opened={opened}
      onClose={onClose}
      action={t('action')}
      danger
      change={revoke}
      onConfirm={() => revoke.mutate({ invitation_id: invitation.id })}
    >
      <Text size="sm">{t('effect')}</Text>
    </ConfirmDialog>
  );
}

type InviteDialogProps = { opened: boolean; onClose: () => void };

function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const t = useTranslations('team.inviteDialog');
  const trpc = useTRPC();
  const after = useTeamChange();
  const invite = useMutation(trpc.team.invite.mutationOptions({ gcTime: 0, onSuccess: () => after(t('created')) }));
  const made = invite.data;
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={made ? (made.mailed ? t('mailed') : t('sendLink')) : t('title')}
      size="lg"
      // An accidental click must not close the dialog while it shows the link, because the link is shown only once.
      closeOnClickOutside={!made}
    >
      {made ? (
        <OneTimeLink link={made.link} mailed={made.mailed} expiresAt={made.expires_at} onDone={close} />
      ) : (
        <InviteForm
          busy={invite.isPending}
          problem={invite.error?.data?.fields?.[0]?.message ?? null}
          failure={invite.error && !invite.error.data?.fields?.length ? invite.error.message : null}
          onInvite={(email, role, location_ids) => invite.mutate({ email, role, location_ids })}
          onCancel={close}
        />
      )}
    </Dialog>
  );
}

type FormProps = {
  busy: boolean;
  problem: string | null;
  failure: string | null;
  onInvite: (email: string, role: TeamMember['role'], limit: Limit) => void;
  onCancel: () => void;
};

function InviteForm({ busy, problem, failure, onInvite, onCancel }: FormProps) {
  const t = useTranslations('team.inviteDialog');
  const trpc = useTRPC();
  const mails = useQuery(trpc.session.me.queryOptions()).data?.mail;
  const limits = useTranslations('team.locations');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<TeamMember['role']>('SUPPORT');
  const [limit, setLimit] = useState<Limit>(null);
  const [limitError, setLimitError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLimitError(limitProblem(limits, role, limit));
    if (limitProblem(limits, role, limit) === null) onInvite(email, role, role === 'FRONT_DESK' ? limit : null);
  };
  return (
    <Form busy={busy} onSubmit={submit}>
      <Stack>
        <Problem error={failure} />
        <TextInput
          label={t('email')}
          description={mails === undefined ? t('loading') : mails ? t('mailedHint') : t('linkHint')}
          type="email"
          required
          data-autofocus
          value={email}
          error={problem && t('problem', { message: problem })}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleField value={role} onChange={setRole} />
        {role === 'FRONT_DESK' && (
          <LocationLimit value={limit} onChange={setLimit} error={limitProblem(limits, role, limit) && limitError} />
        )}
        <FormEnd
          verb={mails === false ? t('createLink') : t('action')}
          busy={busy || mails === undefined}
          onCancel={onCancel}
        />
      </Stack>
    </Form>
  );
}

type LinkProps = { link: string; mailed: boolean; expiresAt: string; onDone: () => void };

function OneTimeLink({ link, mailed, expiresAt, onDone }: LinkProps) {
  const t = useTranslations('team.inviteDialog');
  return (
    <Stack>
      {mailed && <Text size="sm">{t('otherLink')}</Text>}
      <Text size="sm">{t.rich('once', { time: () => <Time value={expiresAt} /> })}</Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
        <CopyValue value={link} label={t('copy')} />
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('done')}</Button>
      </Group>
    </Stack>
  );
}
