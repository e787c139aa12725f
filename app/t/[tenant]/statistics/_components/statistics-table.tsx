'use client';

import { Anchor } from '@mantine/core';
import { Link } from '@/app/_components/link';
import type { Outputs } from '../../_components/api-types';
import { formatCount } from '../../_components/format';
import { Column, DataTable } from '../../_components/tables/data-table';
import { Table } from '../../_components/tables/table';
import { formatDate } from '../../bookings/_components/format';
import { changeText, leadText, revenueText, shareText } from './format';
import type { StatisticsQuery } from './query';
import styles from './statistics.module.css';

type Statistics = NonNullable<Outputs['statistics']['bookings']>;

const HEADINGS: Record<StatisticsQuery['by'], string> = {
  service: 'Service',
  specialist: 'Specialist',
  location: 'Location',
  application: 'Partner',
  week: 'Week from',
};

type Props = {
  statistics: Statistics;
  by: StatisticsQuery['by'];
  busy: boolean;
  /** The bookings of a group; null if they cannot be listed. */
  hrefOf: (key: string | null) => string | null;
};

/** The figures by group. The bars compare the numbers of bookings, so the table is also the chart. */
export function StatisticsTable({ statistics: { groups }, by, busy, hrefOf }: Props) {
  const most = Math.max(1, ...groups.map(({ figures }) => figures.bookings));
  return (
    <DataTable caption={`Bookings by ${HEADINGS[by].toLowerCase()}`} minWidth={900} busy={busy}>
      <Table.Thead>
        <Table.Tr>
          <Column label={HEADINGS[by]} />
          <Column label="Bookings" />
          <Column label="Seats" numeric />
          <Column label="Canceled" numeric />
          <Column label="No-shows" numeric />
          <Column label="Median lead time" numeric />
          <Column label="Revenue" numeric />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {groups.map(({ key, name, figures, previous_bookings: before }) => {
          const href = hrefOf(key);
          const label = nameOf(by, key, name);
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
              <Table.Td data-label="Bookings" data-wide>
                <span className={styles.bookings}>
                  <span
                    className={styles.bar}
                    style={{ inlineSize: `${(figures.bookings / most) * 100}%` }}
                    aria-hidden
                  />
                  <span className={styles.count}>
                    {formatCount(figures.bookings)}{' '}
                    <span className={styles.change}>{changeText(figures.bookings, before)}</span>
                  </span>
                </span>
              </Table.Td>
              <Table.Td data-label="Seats" data-numeric>
                {formatCount(figures.seats)}
              </Table.Td>
              <Table.Td data-label="Canceled" data-numeric>
                {formatCount(figures.canceled)} ({shareText(figures.canceled, figures.bookings)})
              </Table.Td>
              <Table.Td data-label="No-shows" data-numeric>
                {formatCount(figures.no_shows)} ({shareText(figures.no_shows, figures.bookings)})
              </Table.Td>
              <Table.Td data-label="Median lead time" data-numeric>
                {leadText(figures.lead_hours)}
              </Table.Td>
              <Table.Td data-label="Revenue" data-numeric>
                {revenueText(figures.revenue)}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </DataTable>
  );
}

function nameOf(by: StatisticsQuery['by'], key: string | null, name: string | null): string {
  if (by === 'week') return key === null ? 'Not counted by week yet' : formatDate(key);
  return name ?? 'The business itself';
}
