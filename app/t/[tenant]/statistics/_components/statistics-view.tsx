'use client';

import { Group, NativeSelect, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { Outputs } from '../../_components/api-types';
import { FilterFields, optionsOf } from '../../_components/filters/filter-fields';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { ExportButton } from '../../_components/tables/export-button';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { dateText } from '../../bookings/_components/format';
import { DateField } from '../../bookings/_components/period-picker';
import { bookingsHref } from '../../bookings/_components/query';
import { changeText, leadText, partText, revenueText, shareText } from './format';
import {
  changeQuery,
  datesOf,
  FILTER,
  GROUPINGS,
  PARSERS,
  PERIODS,
  type StatisticsQuery,
  statisticsInput,
} from './query';
import { StatisticsTable } from './statistics-table';

type Statistics = NonNullable<Outputs['statistics']['bookings']>;

const RULES = { change: changeQuery };

/** The figures of the bookings of a period, in total and by group, with those of the period before. */
export function StatisticsView({ today }: { today: string }) {
  const trpc = useTRPC();
  const t = useTranslations('statistics.states');
  const format = useFormats();
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
      {data === null && <EmptyState title={t('tooMany')}>{t('tooManyHint')}</EmptyState>}
      {data && <Totals statistics={data} />}
      {data && data.groups.length === 0 && <EmptyState title={t('none')}>{t('noneHint')}</EmptyState>}
      {data && data.groups.length > 0 && (
        <>
          <Group justify="space-between" gap="sm">
            <GroupBy query={query} go={go} />
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
              {t('more', { count: format.count(data.more) })}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

type FiltersProps = { query: StatisticsQuery; go: (patch: Partial<StatisticsQuery>) => void; today: string };

function Filters({ query, go, today }: FiltersProps) {
  const t = useTranslations('statistics.filters');
  const { data: choices } = useQuery(useTRPC().bookings.choices.queryOptions());
  const { from, to } = datesOf(query, today);
  const select = (name: 'location' | 'service' | 'specialist' | 'application') => ({
    label: t(`${name}.label`),
    any: t(`${name}.any`),
    options: optionsOf(choices?.[`${name}s`]),
    unknown: t(`${name}.unknown`),
  });
  return (
    <Stack gap="sm">
      <FilterFields
        query={query}
        go={go}
        selects={{
          location: select('location'),
          service: select('service'),
          specialist: select('specialist'),
          application: select('application'),
        }}
        none={FILTER.none}
        cols={{ base: 3, lg: 6 }}
        before={
          <NativeSelect
            label={t('period')}
            value={query.period}
            data={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
            onChange={({ currentTarget: { value } }) => {
              const period = PERIODS.find((one) => one === value) ?? '30d';
              go(period === 'dates' ? { period, from, to } : { period });
            }}
          />
        }
      />
      {query.period === 'dates' && (
        <Group gap="xs" align="flex-start">
          <DateField label={t('from')} value={query.from} onChange={(date) => go({ from: date })} />
          <DateField
            label={t('to')}
            value={query.to}
            onChange={(date) => go({ to: date })}
            error={query.from === from && query.to === to ? null : t('toInvalid')}
          />
        </Group>
      )}
    </Stack>
  );
}

function GroupBy({ query, go }: Pick<FiltersProps, 'query' | 'go'>) {
  const t = useTranslations('statistics.filters');
  return (
    <SegmentedControl
      aria-label={t('groupBy')}
      size="xs"
      value={query.by}
      data={GROUPINGS.map((value) => ({ value, label: t(`groups.${value}`) }))}
      // In some languages, it is wider than a phone.
      style={{ maxWidth: '100%', overflowX: 'auto' }}
      onChange={(value) => go({ by: GROUPINGS.find((one) => one === value) ?? 'service' })}
    />
  );
}

function Totals({ statistics: { totals, previous_totals: before, previous } }: { statistics: Statistics }) {
  const t = useTranslations('statistics');
  const words = useTranslations('statistics.figures');
  const format = useFormats();
  const counted = (label: string, name: 'bookings' | 'seats') => ({
    label,
    value: format.count(totals[name]),
    note: changeText(words, format, totals[name], before[name]),
  });
  const part = (label: string, name: 'canceled' | 'no_shows') => ({
    label,
    value: partText(words, format, totals[name], totals.bookings),
    note: words('before', { value: shareText(format, before[name], before.bookings) }),
  });
  const cards = [
    counted(t('table.bookings'), 'bookings'),
    counted(t('table.seats'), 'seats'),
    part(t('table.canceled'), 'canceled'),
    part(t('table.noShows'), 'no_shows'),
    {
      label: t('table.lead'),
      value: leadText(words, format, totals.lead_hours),
      note: words('before', { value: leadText(words, format, before.lead_hours) }),
    },
    {
      label: t('table.revenue'),
      value: revenueText(format, totals.revenue),
      note: words('before', { value: revenueText(format, before.revenue) }),
    },
  ];
  return (
    <Stack gap="xs" component="section" aria-label={t('totals.label')}>
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
        {t('totals.compared', { from: dateText(format, previous.from), to: dateText(format, previous.to) })}
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
