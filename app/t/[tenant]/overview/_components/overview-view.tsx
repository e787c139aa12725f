'use client';

import {
  Anchor,
  Code,
  Grid,
  Group,
  Paper,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { useTenantHref } from '@/app/_components/tenant';
import type { Formats } from '@/lib/platform/text/formats';
import { ErrorState, NotLoaded } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { formatDuration, formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import { TrafficChart } from '../../requests/_components/traffic-chart';
import { AttentionList } from './attention-list';
import { countChange, errorChange, errorsOf, type Period, requestChange } from './changes';
import { TodaysBookings } from './todays-bookings';
import type { Bookability, Errors as Data, Progress, Traffic } from './types';
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
      <TrafficSection />
      <Webhooks />
    </Stack>
  );
}

function TrafficSection() {
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

type Props = { progress: Progress; bookability: Bookability | undefined };

function FirstSteps({ progress, bookability }: Props) {
  const t = useTranslations('overview.steps');
  const { locations, specialists, services, offerings, applications, keys, endpoints, requests } = progress;
  const steps = [
    { name: 'location', href: '/catalog/locations', done: locations > 0 },
    { name: 'specialist', href: '/catalog/specialists', done: specialists > 0 },
    { name: 'service', href: '/catalog', done: services > 0 },
    { name: 'offers', href: '/catalog', done: offerings > 0 },
    { name: 'preview', href: '/catalog/preview', done: bookability?.any_bookable === true },
    { name: 'application', href: '/applications', done: applications > 0 },
    { name: 'key', href: '/applications', done: keys > 0 },
    { name: 'webhook', href: '/applications', done: endpoints > 0 },
    { name: 'read', href: '/docs', done: requests },
    { name: 'booking', href: '/bookings', done: false },
  ] as const;
  return (
    <Paper component="section" withBorder p="lg" bg="var(--app-surface)">
      <Title order={2} size="h4" mb={4}>
        {t('title')}
      </Title>
      <Hint mb="md">{t('lead')}</Hint>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ name, href, done }, index) => (
          <Step key={name} number={index + 1} done={done}>
            {t.rich(name, { link: name === 'read' ? toDocs : linkTo(href), code, call: 'GET /api/partner/v1/catalog' })}
          </Step>
        ))}
      </Stack>
    </Paper>
  );
}

const code = (chunks: ReactNode) => <Code>{chunks}</Code>;

const toDocs = (chunks: ReactNode) => (
  <Anchor href="/docs" inherit fw={600}>
    {chunks}
  </Anchor>
);

const linkTo = (href: string) => (chunks: ReactNode) => (
  <TextLink href={href} inherit fw={600}>
    {chunks}
  </TextLink>
);

function Step({ number, done, children }: { number: number; done: boolean; children: ReactNode }) {
  const t = useTranslations('overview.steps');
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon variant={done ? 'filled' : 'light'} radius="xl" size="md" aria-hidden>
        {done ? <IconCheck size={14} /> : number}
      </ThemeIcon>
      <Text size="sm" component="div" pt={3}>
        {children}
        {done && (
          <Text span c="dimmed" size="sm">
            {' '}
            {t('done')}
          </Text>
        )}
      </Text>
    </Group>
  );
}

type FiguresProps = { traffic: Traffic | undefined; period: Period };

const BOOKINGS = { route: '/api/partner/v1/bookings', status: '201' };

function Figures({ traffic, period }: FiguresProps) {
  const t = useTranslations('overview.figures');
  const changes = useTranslations('overview.changes');
  const format = useFormats();
  const totals = traffic?.totals;
  const durations = traffic?.durations;
  const errors = totals ? errorsOf(totals) : 0;
  const requests = totals && format.count(totals.requests);
  const made = traffic && { now: traffic.bookings_made, before: traffic.previous.bookings_made };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure
        label={t('requests')}
        href={requestsHref({ period })}
        value={traffic && (requests ? (totals.estimated ? t('about', { count: requests }) : requests) : t('tooMany'))}
        note={totals ? t('succeeded', { count: format.count(totals.requests - errors) }) : ''}
        change={traffic && requestChange(changes, format, traffic, period)}
      />
      <Figure
        label={t('errorRate')}
        href={requestsHref({ period, status: 'error' })}
        value={traffic && (totals ? formatShare(errors, totals.requests, format) : '–')}
        note={
          totals
            ? t('errors', { refused: format.count(totals.client_errors), failed: format.count(totals.server_errors) })
            : ''
        }
        change={traffic && errorChange(changes, format, traffic, period)}
      />
      <Figure
        label={t('duration')}
        href={requestsHref({ period, status: '2xx' })}
        value={traffic && (durations ? formatPair(format, durations) : '–')}
        note={durations ? t('latest', { count: durations.measured }) : t('noData')}
      />
      <Figure
        label={t('bookings')}
        href={requestsHref({ period, ...BOOKINGS })}
        value={traffic && format.count(traffic.bookings_made)}
        note={t('byPartners')}
        change={made && countChange(changes, format, made, period)}
      />
    </SimpleGrid>
  );
}

/** Formats `p50` and `p95`, such as `12.3 / 45.6 ms`. If both durations have the same unit, the unit appears once. */
function formatPair(format: Formats, { p50, p95 }: NonNullable<Traffic['durations']>): string {
  const [low, high] = [formatDuration(p50, format), formatDuration(p95, format)];
  const unit = high.slice(high.indexOf(' '));
  return `${low.endsWith(unit) ? low.slice(0, -unit.length) : low} / ${high}`;
}

type FigureProps = {
  label: string;
  href: string;
  value: ReactNode | undefined;
  note: string;
  change?: string | undefined;
};

function Figure({ label, href, value, note, change }: FigureProps) {
  return (
    <Paper withBorder p="md" bg="var(--app-surface)" mih={{ base: 141, md: 127 }}>
      <Hint>{label}</Hint>
      {value === undefined ? (
        <Skeleton height={24} width="60%" mt={8} />
      ) : (
        <>
          <TextLink href={href} fz={{ base: 16, sm: 22 }} fw={650} c="var(--mantine-color-text)" underline="hover">
            {value}
            <VisuallyHidden> {label}</VisuallyHidden>
          </TextLink>
          <Hint size="xs">{note}</Hint>
          {change && <Hint size="xs">{change}</Hint>}
        </>
      )}
    </Paper>
  );
}

function Errors({ period }: { period: Period }) {
  const t = useTranslations('overview.errors');
  const trpc = useTRPC();
  const errors = useQuery({
    ...trpc.overview.errors.queryOptions({ period }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  return (
    <Stack component="section" gap="sm" aria-labelledby="errors">
      <Title id="errors" order={3} size="h5">
        {t('title')}
      </Title>
      {errors.data ? <Groups {...errors.data} period={period} /> : <NotLoaded query={errors} rows={2} />}
    </Stack>
  );
}

function Groups({ groups, complete, period }: Data & { period: Period }) {
  const t = useTranslations('overview.errors');
  if (groups === null) return <Hint>{t('tooMany')}</Hint>;
  if (groups.length === 0) return <Hint>{t('none')}</Hint>;
  return (
    <>
      <DataTable
        caption={t('title')}
        label={t('list')}
        minWidth={640}
        dense
        columns={[
          t('application'),
          t('code'),
          t('reason'),
          { label: t('errors'), numeric: true },
          { label: t('share'), numeric: true },
        ]}
      >
        {groups.map((group) => (
          <Row key={`${group.application.id} ${group.code} ${group.reason}`} group={group} period={period} />
        ))}
      </DataTable>
      {!complete && <Hint>{t('partial')}</Hint>}
    </>
  );
}

function Row({ group, period }: { group: NonNullable<Data['groups']>[number]; period: Period }) {
  const t = useTranslations('overview.errors');
  const format = useFormats();
  const { application, code, reason, errors, requests } = group;
  const href = requestsHref({ period, status: 'error', application: application.id, code: code || null, reason });
  return (
    <Table.Tr>
      <Table.Th scope="row" role="rowheader">
        <TextLink
          href={href}
          fz={13}
          fw={600}
          aria-label={t('requestsOf', { application: application.name, codes: `${code} ${reason ?? ''}`.trim() })}
        >
          {application.name}
        </TextLink>
      </Table.Th>
      <Table.Td data-label={t('code')}>{code}</Table.Td>
      <Table.Td data-label={t('reason')}>{reason ?? '–'}</Table.Td>
      <Table.Td data-label={t('errors')} data-numeric>
        {format.count(errors)}
      </Table.Td>
      <Table.Td data-label={t('share')} data-numeric>
        {formatShare(errors, requests, format)}
      </Table.Td>
    </Table.Tr>
  );
}
