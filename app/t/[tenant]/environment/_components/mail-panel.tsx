'use client';

import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Outputs } from '../../_components/api-types';
import { Problem } from '../../_components/forms/form-end';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';

type Mail = Outputs['environment']['get']['mail'];

/** The state of the mails to the members, with a test, or what would be mailed. */
export function MailPanel({ mail }: { mail: Mail }) {
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="mail">
      <Stack>
        <Title order={2} size="h5" id="mail">
          Email to members
        </Title>
        {mail.on ? <State mail={mail} /> : <Off />}
      </Stack>
    </Paper>
  );
}

function Off() {
  return (
    <>
      <Text size="sm">
        Off: the operator has set no mail server (SMTP_URL). Members learn the following only in the Control Center.
      </Text>
      <Text size="sm">
        With a mail server, members get invitations, links for a forgotten password, and warnings about their account.
        They also get notices about failing or disabled webhook endpoints, keys that expire, and requests that fail, and
        choose them under Your account. Customers never get mail.
      </Text>
    </>
  );
}

function State({ mail }: { mail: Mail }) {
  const { from, waiting, last_sent_at, last_problem } = mail;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        Sent from <b>{from}</b>. Each member chooses the notices under Your account. Customers never get mail.
      </Text>
      <Text size="sm" c="dimmed">
        Waiting: {waiting}. Last mail of this business: {last_sent_at ? <Time value={last_sent_at} /> : 'none yet'}.
      </Text>
      {last_problem && (
        <Alert
          color={last_problem.given_up ? 'red' : 'yellow'}
          title={last_problem.given_up ? 'A mail was given up' : 'A mail waits'}
        >
          {last_problem.problem}. (<Time value={last_problem.at} />)
        </Alert>
      )}
      <Test test={mail.last_test} />
    </>
  );
}

const RESULTS = {
  waiting: 'The test mail waits …',
  sent: 'The mail server took the last test mail.',
  failed: 'The last test mail was given up.',
};

function Test({ test }: { test: Mail['last_test'] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const me = useQuery(trpc.session.me.queryOptions());
  const send = useMutation(
    trpc.environment.test_mail.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: trpc.environment.get.queryKey() }),
    }),
  );
  if (me.data?.role !== 'OWNER') return null;
  return (
    <>
      <Problem error={send.error} />
      <Group gap="sm">
        <Button variant="default" loading={send.isPending || test?.state === 'waiting'} onClick={() => send.mutate()}>
          Send me a test mail
        </Button>
        <Text size="sm" role="status">
          {test ? RESULTS[test.state] : ''}
        </Text>
      </Group>
    </>
  );
}
