'use client';

import { Anchor, Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../../_components/dialogs/dialog';
import { ProofForm } from '../../_components/dialogs/proof-form';
import { useTRPC } from '../../_components/trpc';

type Props = { email: string; proven: boolean; withPassword: boolean; mail: boolean };

/** The person's address, with a button that mails a link to a new one, or what the person must do first. */
export function EmailSection({ email, ...account }: Props) {
  const [opened, setOpened] = useState(false);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const obstacle = obstacleOf(account);
  return (
    <Paper component="section" withBorder p="md" maw={520} bg="var(--app-surface)" aria-label="Email address">
      <Stack>
        <Title order={2} size="h5">
          Email address
        </Title>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          You sign in as <b>{email}</b>.
        </Text>
        {obstacle}
        {sentTo !== null && (
          <Text role="status" size="sm" style={{ overflowWrap: 'anywhere' }}>
            If <b>{sentTo}</b> can be used, a link is on its way. It works once, for 30 minutes. Until you use it,
            nothing changes. No mail? Look in the spam folder.
          </Text>
        )}
        {obstacle === null && (
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setOpened(true)}>
              Change email address
            </Button>
          </Group>
        )}
      </Stack>
      <AddressDialog opened={opened} onClose={() => setOpened(false)} onSent={setSentTo} />
    </Paper>
  );
}

/** Returns why the address cannot be changed yet and what to do, or null. */
function obstacleOf({ mail, proven, withPassword }: Omit<Props, 'email'>) {
  if (!mail)
    return (
      <Text size="sm" c="dimmed">
        It cannot be changed here, because this deployment sends no email. An owner can invite the new address, and then
        remove this account.
      </Text>
    );
  if (proven && withPassword) return null;
  return (
    <Text size="sm" c="dimmed">
      {proven ? 'To change it, first set a password' : 'To change it, first prove that it is yours'}: sign out, open{' '}
      <Anchor href="/password">Forgot your password?</Anchor>, and use the mailed link.
    </Text>
  );
}

type DialogProps = { opened: boolean; onClose: () => void; onSent: (email: string) => void };

/** Asks for the new address, the password, and the second factor. */
function AddressDialog({ opened, onClose, onSent }: DialogProps) {
  const trpc = useTRPC();
  const [email, setEmail] = useState('');
  const request = useMutation(
    trpc.session.change_email.mutationOptions({
      gcTime: 0,
      onSuccess: (_, given) => {
        onSent(given.email);
        onClose();
      },
    }),
  );
  const [field] = request.error?.data?.fields ?? [];
  const wrong = field?.path === 'email' ? `This ${field.message}.` : null;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => {
        request.reset();
        setEmail('');
      }}
      title="Change your email address"
      size="lg"
    >
      <ProofForm
        text="We mail a link to the new address. It asks for your password again. Until you use it, your address stays as it is."
        verb="Mail the link"
        busy={request.isPending}
        error={wrong === null ? request.error : null}
        disabled={email.trim() === ''}
        onCancel={onClose}
        onProof={(proof) => request.mutate({ ...proof, email: email.trim() })}
      >
        <TextInput
          label="New email address"
          type="email"
          autoComplete="email"
          maxLength={254}
          required
          data-autofocus
          value={email}
          error={wrong}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </ProofForm>
    </Dialog>
  );
}
