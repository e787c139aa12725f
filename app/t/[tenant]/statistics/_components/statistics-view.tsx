'use client';

import { Group, NativeSelect, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { GROUPINGS } from '@/lib/control-center/statistics-input';
import type { Formats } from '@/lib/platform/text/formats';
import type { Outputs } from '../../_components/api-types';
import { FilterFields, optionsOf } from '../../_components/filters/filter-fields';
import { EmptyState, NotLoaded } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { ExportButton } from '../../_components/tables/export-button';
import { Table } from '../../_components/tables/table';
import { useTRPC } from '../../_components/trpc';
import { useUrlState } from '../../_components/use-url-state';
import { DateField } from '../../bookings/_components/day-stepper';
import { dateText } from '../../bookings/_components/display/format';
import { bookingsHref } from '../../bookings/_components/query';
import { changeText, leadText, partText, revenueText, shareText } from './format';
import { changeQuery, datesOf, FILTER, PARSERS, PERIODS, type StatisticsQuery, statisticsInput } from './query';
import styles from './statistics.module.css';

type Statistics = NonNullable<Outputs['statistics']['bookings']>;

const RULES = { change: changeQuery };

/** The figures of the bookings of a period, in total and by group, with those of the period before. */
export function StatisticsView({ today }: { today: string }) {
  const trpc = useTRPC();
  const t = useTranslations('statistics.states');
  const format = useFormats();
  const { query, go } = useUrlState(PARSERS, RULES);
  const input = statisticsInput(query, today);
  const statistics = useQuery({
    ...trpc.statistics.bookings.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData } = statistics;
  return (
    <Stack gap="md">
      <Filters query={query} go={go} today={today} />
      {data === undefined && <NotLoaded query={statistics} rows={6} />}
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
          {data.more > 0 && <Hint>{t('more', { count: format.count(data.more) })}</Hint>}
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
  return (
    <Stack gap="sm">
      <FilterFields
        query={query}
        go={go}
        selects={{
          location: { of: 'location', options: optionsOf(choices?.locations) },
          service: { of: 'service', options: optionsOf(choices?.services) },
          specialist: { of: 'specialist', options: optionsOf(choices?.specialists) },
          application: {
            ...{ label: t('application.label'), any: t('application.any'), unknown: t('application.unknown') },
            options: optionsOf(choices?.applications),
          },
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
            <Hint>{label}</Hint>
            <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
              {value}
            </Text>
            <Hint size="xs" style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Hint>
          </Paper>
        ))}
      </SimpleGrid>
      <Hint size="xs">
        {t('totals.compared', { from: dateText(format, previous.from), to: dateText(format, previous.to) })}
      </Hint>
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

type Props = {
  statistics: Statistics;
  by: StatisticsQuery['by'];
  busy: boolean;
  /** The bookings of a group; null if they cannot be listed. */
  hrefOf: (key: string | null) => string | null;
};

function StatisticsTable({ statistics: { groups }, by, busy, hrefOf }: Props) {
  const t = useTranslations('statistics.table');
  const groupName = useTranslations('statistics.filters.groups');
  const words = useTranslations('statistics.figures');
  const format = useFormats();
  const most = Math.max(1, ...groups.map(({ figures }) => figures.bookings));
  return (
    <DataTable
      caption={t('caption', { by })}
      minWidth={900}
      busy={busy}
      dense
      columns={[
        by === 'week' ? t('week') : groupName(by),
        t('bookings'),
        { label: t('seats'), numeric: true },
        { label: t('canceled'), numeric: true },
        { label: t('noShows'), numeric: true },
        { label: t('lead'), numeric: true },
        { label: t('revenue'), numeric: true },
      ]}
    >
      {groups.map(({ key, name, figures, previous_bookings: before }) => {
        const href = hrefOf(key);
        const label = nameOf({ t, format }, by, key, name);
        return (
          <Table.Tr key={key ?? 'business'}>
            <Table.Th scope="row" role="rowheader">
              {href === null ? (
                label
              ) : (
                <TextLink href={href} fw={550}>
                  {label}
                </TextLink>
              )}
            </Table.Th>
            <Table.Td data-label={t('bookings')} data-wide>
              <span className={styles.bookings}>
                <span
                  className={styles.bar}
                  style={{ inlineSize: `${(figures.bookings / most) * 100}%` }}
                  aria-hidden
                />
                <span className={styles.count}>
                  {format.count(figures.bookings)}{' '}
                  <span className={styles.change}>{changeText(words, format, figures.bookings, before)}</span>
                </span>
              </span>
            </Table.Td>
            <Table.Td data-label={t('seats')} data-numeric>
              {format.count(figures.seats)}
            </Table.Td>
            <Table.Td data-label={t('canceled')} data-numeric>
              {partText(words, format, figures.canceled, figures.bookings)}
            </Table.Td>
            <Table.Td data-label={t('noShows')} data-numeric>
              {partText(words, format, figures.no_shows, figures.bookings)}
            </Table.Td>
            <Table.Td data-label={t('lead')} data-numeric>
              {leadText(words, format, figures.lead_hours)}
            </Table.Td>
            <Table.Td data-label={t('revenue')} data-numeric>
              {revenueText(format, figures.revenue)}
            </Table.Td>
          </Table.Tr>
        );
      })}
    </DataTable>
  );
}

type Words = { t: Translator<'statistics.table'>; format: Formats };

function nameOf({ t, format }: Words, by: StatisticsQuery['by'], key: string | null, name: string | null): string {
  if (by === 'week') return key === null ? t('notByWeek') : dateText(format, key);
  return name ?? t('business');
}
