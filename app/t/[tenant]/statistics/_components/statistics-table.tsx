'use client';

import { Anchor } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { Formats } from '@/lib/platform/text/formats';
import type { Outputs } from '../../_components/api-types';
import { Column, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { dateText } from '../../bookings/_components/format';
import { changeText, leadText, partText, revenueText } from './format';
import type { StatisticsQuery } from './query';
import styles from './statistics.module.css';

type Statistics = NonNullable<Outputs['statistics']['bookings']>;

type Props = {
  statistics: Statistics;
  by: StatisticsQuery['by'];
  busy: boolean;
  /** The bookings of a group; null if they cannot be listed. */
  hrefOf: (key: string | null) => string | null;
};

/** The figures by group. The bars compare the numbers of bookings, so the table is also the chart. */
export function StatisticsTable({ statistics: { groups }, by, busy, hrefOf }: Props) {
  const t = useTranslations('statistics.table');
  const words = useTranslations('statistics.figures');
  const format = useFormats();
  const most = Math.max(1, ...groups.map(({ figures }) => figures.bookings));
  return (
    <DataTable caption={t('caption', { by })} minWidth={900} busy={busy} dense>
      <Table.Thead>
        <Table.Tr>
          <Column label={t(by)} />
          <Column label={t('bookings')} />
          <Column label={t('seats')} numeric />
          <Column label={t('canceled')} numeric />
          <Column label={t('noShows')} numeric />
          <Column label={t('lead')} numeric />
          <Column label={t('revenue')} numeric />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map(({ key, name, figures, previous_bookings: before }) => {
          const href = hrefOf(key);
          const label = nameOf({ t, format }, by, key, name);
          return (
            <Table.Tr key={key ?? 'business'}>
              <Table.Th scope="row" role="rowheader">
                {href === null ? (
                  label
                ) : (
                  <Anchor component={Link} href={href} size="sm" fw={550}>
                    {label}
                  </Anchor>
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
      </Table.Tbody>
    </DataTable>
  );
}

type Words = { t: Translator<'statistics.table'>; format: Formats };

function nameOf({ t, format }: Words, by: StatisticsQuery['by'], key: string | null, name: string | null): string {
  if (by === 'week') return key === null ? t('notByWeek') : dateText(format, key);
  return name ?? t('business');
}
