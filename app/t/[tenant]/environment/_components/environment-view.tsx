'use client';

import { Alert, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { PageHeader } from '../../_components/shell/page-header';
import { ErrorState, LoadingRows } from '../../_components/states';
import { Fact, Facts } from '../../_components/tables/facts';
import { Ago } from '../../_components/time/ago';
import { useTRPC } from '../../_components/trpc';
import { BusinessPanel } from './business-panel';
import { MailPanel } from './mail-panel';
import { ResetPanel } from './reset-panel';

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
  const { data, error, refetch, isPending } = useQuery({
    ...trpc.environment.get.queryOptions(),
    // A mail is usually sent within a few seconds.
    refetchInterval: ({ state }) => (state.data?.mail.last_test?.state === 'waiting' ? 2_000 : false),
  });
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      {isPending && <LoadingRows rows={7} />}
      {error && <ErrorState error={error} retry={() => void refetch()} />}
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

/** Shows problems with webhook delivery. Renders nothing if there are none. */
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
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="facts">
      <Title order={2} size="h5" id="facts" mb="md">
        {t('title')}
      </Title>
      <Facts>
        {rows.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </Paper>
  );
}
