'use client';

import { Alert, Button, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { Outputs } from '../../_components/api-types';
import { Dialog } from '../../_components/dialogs/dialog';
import { Form } from '../../_components/forms/form';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { PageHeader } from '../../_components/shell/page-header';
import { NotLoaded } from '../../_components/states';
import { Fact, Facts } from '../../_components/tables/facts';
import { Ago } from '../../_components/time/ago';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';
import { BusinessPanel } from './business-panel';

// Only owners see it, and its script is not small.
const CompletionPanel = dynamic(() => import('./completion-panel').then((module) => module.CompletionPanel), {
  ssr: false,
});

/**
 * The page shows a warning if the oldest overdue delivery is late by more than this number of seconds. Shorter delays
 * are normal under load.
 */
const LATE = 90;

/** The deployment, its mails, the business, and, in TEST, the data resets. */
export function EnvironmentView() {
  const trpc = useTRPC();
  const t = useTranslations('environment');
  const environment = useQuery({
    ...trpc.environment.get.queryOptions(),
    // A mail is usually sent within a few seconds.
    refetchInterval: ({ state }) => (state.data?.mail.last_test?.state === 'waiting' ? 2_000 : false),
  });
  const { data, isError, isPending } = environment;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {(isError || isPending) && <NotLoaded query={environment} rows={7} />}
      {data && (
        <Stack gap="md" maw={1080}>
          <WebhookProblems inngest={data.inngest} lag={data.delivery_lag_seconds} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Stack gap="md">
              <BusinessPanel saved={data.business} />
              <CompletionPanel />
              {data.reset && <ResetPanel tenantName={data.tenant_name} reset={data.reset} />}
            </Stack>
            <Stack gap="md">
              <Deployment
                rows={[
                  [t('facts.environment'), data.environment === 'TEST' ? t('facts.test') : t('facts.live')],
                  [t('facts.origin'), data.origin],
                  [t('facts.issuer'), data.issuer],
                  [t('facts.database'), data.database],
                  [t('facts.version'), data.version],
                  ['Node.js', data.node_version],
                  [t('facts.zoneRules'), data.zone_rules],
                  [t('facts.scheduler'), data.scheduler === 'inngest' ? 'Inngest' : t('facts.embedded')],
                  [
                    t('facts.backup'),
                    data.last_backup_at ? <Ago key="backup" value={data.last_backup_at} both /> : t('facts.noBackup'),
                  ],
                  [
                    data.environment === 'TEST' ? t('facts.readinessKey') : t('facts.readinessKeyOfTest'),
                    data.readiness_key ?? t('facts.notSet'),
                  ],
                  [t('facts.payments'), t('facts.disabled')],
                ]}
              />
              <MailPanel mail={data.mail} />
            </Stack>
          </SimpleGrid>
        </Stack>
      )}
    </>
  );
}

type WebhookState = {
  inngest: { registered: boolean; problem: string | null } | null;
  /** The delay, in seconds, of the oldest overdue delivery. Null if unknown. */
  lag: number | null;
};

function WebhookProblems({ inngest, lag }: WebhookState) {
  const t = useTranslations('environment.delays');
  const problems = [
    inngest &&
      !inngest.registered &&
      (inngest.problem ? t('inngestProblem', { problem: inngest.problem }) : t('inngest')),
    (lag ?? 0) > LATE && t('late', { minutes: Math.round((lag ?? 0) / 60) }),
  ].filter((one) => typeof one === 'string');
  if (problems.length === 0) return null;
  return (
    <Alert color="red" title={t('title')} role="alert">
      {problems.map((one) => (
        <Text size="sm" key={one}>
          {one}
        </Text>
      ))}
    </Alert>
  );
}

function Deployment({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  const t = useTranslations('environment.facts');
  return (
    <Panel title={t('title')}>
      <Facts>
        {rows.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </Panel>
  );
}

type Mail = Outputs['environment']['get']['mail'];

function MailPanel({ mail }: { mail: Mail }) {
  const t = useTranslations('environment.mail');
  return <Panel title={t('title')}>{mail.on ? <State mail={mail} /> : <Off />}</Panel>;
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
      <Hint>{last_sent_at ? t.rich('queue', { waiting, time: time(last_sent_at) }) : t('queueNone', { waiting })}</Hint>
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
  const done = useDone(trpc.environment);
  const me = useQuery(trpc.session.me.queryOptions());
  const send = useMutation(
    trpc.environment.test_mail.mutationOptions({
      onSuccess: () => done(),
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

type Policy = 'DAILY' | 'ON_DEMAND';

type Props = {
  tenantName: string;
  reset: { policy: Policy; last_reset_at: string | null; time_zone: string };
};

function ResetPanel({ tenantName, reset }: Props) {
  const t = useTranslations('environment.reset');
  const trpc = useTRPC();
  const done = useDone(trpc.environment);
  const [asking, { open, close }] = useDisclosure();
  const me = useQuery(trpc.session.me.queryOptions());
  const last = reset.last_reset_at;
  const owner = me.data?.role === 'OWNER';
  const choose = useMutation(
    trpc.environment.set_reset_policy.mutationOptions({
      onSuccess: () => done(),
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
    }),
  );
  return (
    <Panel title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <Hint>{last === null ? t('never') : t.rich('last', { time: () => <Time value={last} /> })}</Hint>
      <Radio.Group
        label={t('schedule')}
        value={reset.policy}
        onChange={(policy) => choose.mutate({ policy: policy as Policy })}
        readOnly={!owner || choose.isPending}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="ON_DEMAND" label={t('manual')} disabled={!owner} />
          <Radio value="DAILY" label={t('daily', { zone: reset.time_zone })} disabled={!owner} />
        </Stack>
      </Radio.Group>
      {owner && (
        <Group>
          <Button color="red" variant="light" onClick={open}>
            {t('open')}
          </Button>
        </Group>
      )}
      <ResetDialog tenantName={tenantName} opened={asking} close={close} />
    </Panel>
  );
}

type ResetDialogProps = { tenantName: string; opened: boolean; close: () => void };

/** The dialog that confirms a reset. The user must type the business name, which prevents accidental resets. */
function ResetDialog({ tenantName, opened, close }: ResetDialogProps) {
  const t = useTranslations('environment.resetDialog');
  const [typed, setTyped] = useState('');
  const { reset, leave } = useReset(() => {
    setTyped('');
    close();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ tenant_name: typed });
  };
  const field = reset.error?.data?.fields?.[0];
  return (
    <Dialog opened={opened} onClose={leave} title={t('title')}>
      <Form busy={reset.isPending} onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('effect')}</Text>
          <Problem error={field ? null : reset.error} />
          <TextInput
            data-autofocus
            label={t('confirm', { name: tenantName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={field && t('problem', { message: field.message })}
            autoComplete="off"
            required
          />
          <FormEnd
            verb={t('action')}
            danger
            busy={reset.isPending}
            disabled={typed.trim() !== tenantName}
            onCancel={leave}
          />
        </Stack>
      </Form>
    </Dialog>
  );
}

function useReset(done: () => void) {
  const t = useTranslations('environment.resetDialog');
  const trpc = useTRPC();
  const client = useQueryClient();
  const reset = useMutation(
    trpc.environment.reset_now.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: t('done') });
        done();
        await client.invalidateQueries();
      },
    }),
  );
  const leave = () => {
    reset.reset();
    done();
  };
  return { reset, leave };
}
