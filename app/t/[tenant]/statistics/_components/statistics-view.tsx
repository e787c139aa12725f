'use client';

import { Group, NativeSelect, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../_components/api-types';
import { FilterFields, recordSelect } from '../../_components/filters/filter-fields';
import { formatCount } from '../../_components/format';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { formatDate } from '../../bookings/_components/format';
import { DateField } from '../../bookings/_components/period-picker';
import { bookingsHref } from '../../bookings/_components/query';
import { changeText, leadText, revenueText, shareText } from './format';
import { changeQuery, datesOf, FILTER, PARSERS, PERIODS, type StatisticsQuery, statisticsInput } from './query';
import { StatisticsTable } from './statistics-table';

type Statistics = NonNullable<Outputs['statistics']['bookings']>;

const RULES = { change: changeQuery };

/** The figures of the bookings of a period, in total and by group, with those of the period before. */
export function StatisticsView({ today }: { today: string }) {
  const trpc = useTRPC();
  const { query, go } = useUrlState(PARSERS, RULES);
  const input = statisticsInput(query, today);
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...trpc.statistics.bookings.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack gap="md">
      <Filters query={query} go={go} today={today} />
      {isError && data === undefined && <ErrorState error={error} retry={() => void refetch()} />}
      {!isError && data === undefined && <LoadingRows rows={6} />}
      {data === null && (
        <EmptyState title="Too many bookings to count">Select a shorter period, or filter by a location.</EmptyState>
      )}
      {data && <Totals statistics={data} />}
      {data && data.groups.length === 0 && (
        <EmptyState title="No bookings in this period">
          Bookings are counted on the date of their start. Select another period, or clear the filters.
        </EmptyState>
      )}
      {data && data.groups.length > 0 && (
        <>
          <Group justify="flex-end">
            <ExportButton list="statistics" input={input} />
          </Group>
          <StatisticsTable
            statistics={data}
            by={query.by}
            busy={isPlaceholderData}
            hrefOf={(key) => bookingsHrefOf(query, datesOf(query, today), key)}
          />
          {data.more > 0 && (
            <Text size="sm" c="dimmed">
              {formatCount(data.more)} more with fewer bookings are not shown.
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

const NAMES: Record<(typeof PERIODS)[number], string> = {
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  month: 'This month',
  last_month: 'Last month',
  dates: 'Dates',
};

const GROUPINGS: { value: StatisticsQuery['by']; label: string }[] = [
  { value: 'service', label: 'Service' },
  { value: 'specialist', label: 'Specialist' },
  { value: 'location', label: 'Location' },
  { value: 'application', label: 'Partner' },
  { value: 'week', label: 'Week' },
];

type FiltersProps = { query: StatisticsQuery; go: (patch: Partial<StatisticsQuery>) => void; today: string };

function Filters({ query, go, today }: FiltersProps) {
  const { data: choices } = useQuery(useTRPC().bookings.choices.queryOptions());
  const { from, to } = datesOf(query, today);
  return (
    <Stack gap="sm">
      <FilterFields
        query={query}
        go={go}
        selects={{
          location: recordSelect('location', choices?.locations),
          service: recordSelect('service', choices?.services),
          specialist: recordSelect('specialist', choices?.specialists),
          application: recordSelect('partner', choices?.applications),
        }}
        none={FILTER.none}
        cols={{ base: 3, lg: 6 }}
        before={
          <NativeSelect
            label="Period"
            value={query.period}
            data={PERIODS.map((value) => ({ value, label: NAMES[value] }))}
            onChange={({ currentTarget: { value } }) => {
              const period = PERIODS.find((one) => one === value) ?? '30d';
              go(period === 'dates' ? { period, from, to } : { period });
            }}
          />
        }
      />
      {query.period === 'dates' && (
        <Group gap="xs" align="flex-start">
          <DateField label="From" value={query.from} onChange={(date) => go({ from: date })} />
          <DateField
            label="To"
            value={query.to}
            onChange={(date) => go({ to: date })}
            error={query.from === from && query.to === to ? null : 'Must be at most 365 days after the start date.'}
          />
        </Group>
      )}
      <SegmentedControl
        aria-label="Group by"
        size="xs"
        value={query.by}
        data={GROUPINGS}
        style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
        onChange={(value) => go({ by: GROUPINGS.find((one) => one.value === value)?.value ?? 'service' })}
      />
    </Stack>
  );
}

function Totals({ statistics: { totals, previous_totals: before, previous } }: { statistics: Statistics }) {
  const cards = [
    { label: 'Bookings', value: formatCount(totals.bookings), note: changeText(totals.bookings, before.bookings) },
    { label: 'Seats', value: formatCount(totals.seats), note: changeText(totals.seats, before.seats) },
    {
      label: 'Canceled',
      value: `${formatCount(totals.canceled)} (${shareText(totals.canceled, totals.bookings)})`,
      note: `before: ${shareText(before.canceled, before.bookings)}`,
    },
    {
      label: 'No-shows',
      value: `${formatCount(totals.no_shows)} (${shareText(totals.no_shows, totals.bookings)})`,
      note: `before: ${shareText(before.no_shows, before.bookings)}`,
    },
    { label: 'Median lead time', value: leadText(totals.lead_hours), note: `before: ${leadText(before.lead_hours)}` },
    { label: 'Revenue', value: revenueText(totals.revenue), note: `before: ${revenueText(before.revenue)}` },
  ];
  return (
    <Stack gap="xs" component="section" aria-label="Totals">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {cards.map(({ label, value, note }) => (
          <Paper key={label} withBorder p="md" bg="var(--app-surface)">
            <Text size="sm" c="dimmed">
              {label}
            </Text>
            <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        Compared with {formatDate(previous.from)} to {formatDate(previous.to)}. Revenue is the price stored with each
        confirmed or completed booking.
      </Text>
    </Stack>
  );
}

function bookingsHrefOf(query: StatisticsQuery, { from, to }: { from: string; to: string }, key: string | null) {
  const { by, location, service, specialist, application } = query;
  const filters = { location, service, specialist, application, status: 'any' as const, period: 'dates' as const };
  if (key === null) return null;
  if (by !== 'week') return bookingsHref({ ...filters, from, to, [by]: key });
  const end = new Date(Date.parse(key) + 6 * 86_400_000).toISOString().slice(0, 10);
  return bookingsHref({ ...filters, from: key < from ? from : key, to: end > to ? to : end });
}
