'use client';

import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { Outputs } from '../../_components/api-types';
import { Problem } from '../../_components/forms/form-end';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';

type Mail = Outputs['environment']['get']['mail'];

/** The state of the mails to the members, with a test, or what would be mailed. */
export function MailPanel({ mail }: { mail: Mail }) {
  const t = useTranslations('environment.mail');
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="mail">
      <Stack>
        <Title order={2} size="h5" id="mail">
          {t('title')}
        </Title>
        {mail.on ? <State mail={mail} /> : <Off />}
      </Stack>
    </Paper>
  );
}

function Off() {
  const t = useTranslations('environment.mail');
  return (
    <>
      <Text size="sm">{t('off')}</Text>
      <Text size="sm">{t('offDetails')}</Text>
    </>
  );
}

function State({ mail }: { mail: Mail }) {
  const t = useTranslations('environment.mail');
  const { from, waiting, last_sent_at, last_problem } = mail;
  const time = (at: string) => () => <Time value={at} />;
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {t.rich('from', { from: from ?? '', b: (chunks) => <b>{chunks}</b> })}
      </Text>
      <Text size="sm" c="dimmed">
        {last_sent_at ? t.rich('queue', { waiting, time: time(last_sent_at) }) : t('queueNone', { waiting })}
      </Text>
      {last_problem && (
        <Alert
          color={last_problem.given_up ? 'red' : 'yellow'}
          title={last_problem.given_up ? t('givenUp') : t('waits')}
        >
          {t.rich('problem', { problem: last_problem.problem, time: time(last_problem.at) })}
        </Alert>
      )}
      <Test test={mail.last_test} />
    </>
  );
}

function Test({ test }: { test: Mail['last_test'] }) {
  const t = useTranslations('environment.mail');
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
          {t('test')}
        </Button>
        <Text size="sm" role="status">
          {test ? t(`results.${test.state}`) : ''}
        </Text>
      </Group>
    </>
  );
}
