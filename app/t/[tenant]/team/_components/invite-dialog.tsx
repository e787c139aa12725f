'use client';

import { Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
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
  const trpc = useTRPC();
  const after = useTeamChange();
  const invite = useMutation(
    trpc.team.invite.mutationOptions({ gcTime: 0, onSuccess: () => after('Invitation created.') }),
  );
  const made = invite.data;
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={made ? (made.mailed ? 'Invitation mailed' : 'Send this link') : 'Invite a member'}
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

const MAILED =
  'The address gets a link by mail, which also proves the address. It works once, for seven days. You also get a link to share.';
const NOT_MAILED =
  'No email is sent. You get a link to share. The link works once and expires after seven days. The new member signs in with this address.';

function InviteForm({ busy, problem, failure, onInvite, onCancel }: FormProps) {
  const trpc = useTRPC();
  const mails = useQuery(trpc.session.me.queryOptions()).data?.mail;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<TeamMember['role']>('SUPPORT');
  const [limit, setLimit] = useState<Limit>(null);
  const [limitError, setLimitError] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLimitError(limitProblem(role, limit));
    if (limitProblem(role, limit) === null) onInvite(email, role, role === 'FRONT_DESK' ? limit : null);
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
          label="Email address"
          description={mails === undefined ? 'Loading …' : mails ? MAILED : NOT_MAILED}
          type="email"
          required
          data-autofocus
          value={email}
          error={problem && `This ${problem}.`}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleField value={role} onChange={setRole} />
        {role === 'FRONT_DESK' && (
          <LocationLimit value={limit} onChange={setLimit} error={limitProblem(role, limit) && limitError} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy || mails === undefined}>
            {mails === false ? 'Create link' : 'Invite'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type LinkProps = { link: string; mailed: boolean; expiresAt: string; onDone: () => void };

function OneTimeLink({ link, mailed, expiresAt, onDone }: LinkProps) {
  return (
    <Stack>
      {mailed && (
        <Text size="sm">
          A mail with another link is on its way to the person. You need the link below only if the mail does not
          arrive: it accepts the same invitation, but does not prove the address.
        </Text>
      )}
      <Text size="sm">
        This link is shown only once. Anyone who has the link can join, so send it only to the person you invited. The
        link works once and expires on <Time value={expiresAt} />.
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
        <CopyValue value={link} label="Copy link" />
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
