'use client';

import { Grid, Group, Paper, SegmentedControl, Stack, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { useTenantHref } from '@/app/_components/tenant';
import { ErrorState } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { requestsHref } from '../../requests/_components/query';
import { TrafficChart } from '../../requests/_components/traffic-chart';
import { AttentionList } from './attention-list';
import { Errors } from './errors';
import { Figures } from './figures';
import { FirstSteps } from './first-steps';
import { TodaysBookings } from './todays-bookings';
import type { Bookability } from './types';
import { Webhooks } from './webhooks';

/** Milliseconds. The search for free times costs more than the other queries. */
const BOOKABLE_INTERVAL = 300_000;

const custom = (from: string, to: string) => requestsHref({ period: 'custom', from, to });

/** @param seesNames Whether the member's role allows to view contacts. */
export function OverviewView({ seesNames }: { seesNames: boolean }) {
  const trpc = useTRPC();
  const progress = useQuery(trpc.overview.progress.queryOptions());
  const bookability = useQuery({ ...trpc.overview.bookable.queryOptions(), refetchInterval: BOOKABLE_INTERVAL });
  if (progress.isError) return <ErrorState error={progress.error} retry={() => void progress.refetch()} />;
  return (
    <Stack gap="md">
      {progress.data && !progress.data.bookings && (
        <FirstSteps progress={progress.data} bookability={bookability.data} />
      )}
      <Attention bookability={bookability.data} />
      <TodaysBookings seesNames={seesNames} />
      <Traffic />
      <Webhooks />
    </Stack>
  );
}

function Traffic() {
  const t = useTranslations('overview.traffic');
  const trpc = useTRPC();
  const router = useRouter();
  const hrefOf = useTenantHref();
  const period = useSearchParams().get('period') === '7d' ? '7d' : '24h';
  const traffic = useQuery({
    ...trpc.overview.traffic.queryOptions({ period }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const choose = (value: string) => window.history.pushState(null, '', hrefOf(value === '7d' ? '/?period=7d' : '/'));
  const zoomed = (from: string, to: string) => hrefOf(custom(from, to));
  return (
    <Stack component="section" gap="md" aria-label={t('title')}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        <SegmentedControl
          aria-label={t('period')}
          value={period}
          onChange={choose}
          data={(['24h', '7d'] as const).map((value) => ({ value, label: t(`periods.${value}`) }))}
        />
      </Group>
      {traffic.isError && !traffic.data ? (
        <ErrorState error={traffic.error} retry={() => void traffic.refetch()} />
      ) : (
        <>
          <Figures traffic={traffic.data} period={period} />
          <Paper withBorder p="md" bg="var(--app-surface)">
            <TrafficChart
              histogram={traffic.data?.histogram}
              hrefFor={zoomed}
              onZoom={(from, to) => router.push(zoomed(from, to))}
            />
          </Paper>
        </>
      )}
      <Errors period={period} />
    </Stack>
  );
}

function Attention({ bookability }: { bookability: Bookability | undefined }) {
  const t = useTranslations('overview.attention');
  const trpc = useTRPC();
  const attention = useQuery({ ...trpc.overview.attention.queryOptions(), refetchInterval: 60_000 });
  // This query needs no refetch interval, because the webhook banner on every page reloads the same query.
  const disabled = useQuery(trpc.webhooks.disabled.queryOptions());
  const outside = useQuery({ ...trpc.overview.outside.queryOptions(), refetchInterval: 60_000 });
  const health = useQuery({ ...trpc.overview.webhooks.queryOptions(), refetchInterval: 60_000 });
  return (
    <Grid>
      <Grid.Col span={12}>
        <Title order={2} size="h4" mb="sm">
          {t('title')}
        </Title>
        {attention.isError && !attention.data ? (
          <ErrorState error={attention.error} retry={() => void attention.refetch()} />
        ) : (
          <AttentionList
            attention={attention.data}
            disabled={disabled.data}
            endpoints={health.data}
            outside={outside.data}
            bookability={bookability}
          />
        )}
      </Grid.Col>
    </Grid>
  );
}
