'use client';

import { Alert, Button, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { TeamMember } from '../../_components/api-types';
import { CopyValue } from '../../_components/id';
import { Time } from '../../_components/time';
import { useTRPC } from '../../_components/trpc';
import { RoleField } from './role-dialog';
import { useTeamChange } from './use-team-change';

type Props = { opened: boolean; onClose: () => void };

/** Makes a one-time link and shows it, once. */
export function InviteDialog({ opened, onClose }: Props) {
  const trpc = useTRPC();
  const after = useTeamChange();
  const invite = useMutation(
    trpc.team.invite.mutationOptions({ gcTime: 0, onSuccess: () => after('The invitation is made.') }),
  );
  const made = invite.data;
  const close = () => {
    onClose();
    invite.reset();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={made ? 'Send this link' : 'Invite somebody'}
      size="lg"
      // A stray click must not close what is shown only once.
      closeOnClickOutside={!made}
    >
      {made ? (
        <OneTimeLink link={made.link} expiresAt={made.expires_at} onDone={close} />
      ) : (
        <InviteForm
          busy={invite.isPending}
          problem={invite.error?.data?.fields?.[0]?.message ?? null}
          failure={invite.error && !invite.error.data?.fields?.length ? invite.error.message : null}
          onInvite={(email, role) => invite.mutate({ email, role })}
          onCancel={close}
        />
      )}
    </Modal>
  );
}

type FormProps = {
  busy: boolean;
  problem: string | null;
  failure: string | null;
  onInvite: (email: string, role: TeamMember['role']) => void;
  onCancel: () => void;
};

function InviteForm({ busy, problem, failure, onInvite, onCancel }: FormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<TeamMember['role']>('SUPPORT');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onInvite(email, role);
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
          label="E-mail address"
          description="Nothing is sent: you get a link and pass it on. It works for this address only, once, for seven days."
          type="email"
          required
          data-autofocus
          value={email}
          error={problem && `It ${problem}.`}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <RoleField value={role} onChange={setRole} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function OneTimeLink({ link, expiresAt, onDone }: { link: string; expiresAt: string; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">
        This is the only time it is shown. Whoever has it can join: send it to that person alone. It works once, until{' '}
        <Time value={expiresAt} />.
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{link}</Code>
        <CopyValue value={link} label="Copy the link" />
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
