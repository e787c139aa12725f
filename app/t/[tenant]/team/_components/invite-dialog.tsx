'use client';

import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { TeamMember } from '../../_components/api-types';
import { Dialog } from '../../_components/dialogs/dialog';
import { CopyValue } from '../../_components/id';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { type Limit, LocationLimit, limitProblem } from './location-limit';
import { RoleField } from './role-dialog';
import { useTeamChange } from './use-team-change';

type Props = { opened: boolean; onClose: () => void };

/** Creates a one-time invitation link and shows it once. */
export function InviteDialog({ opened, onClose }: Props) {
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
    <form onSubmit={submit} noValidate>
      <Stack>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy || mails === undefined}>
            {mails === false ? t('createLink') : t('action')}
          </Button>
        </Group>
      </Stack>
    </form>
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
