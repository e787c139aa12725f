'use client';

import { Button, Code } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Link } from '@/app/_components/link';
import { DataTable, SortColumn } from '../../_components/tables/data-table';
import rowLink from '../../_components/tables/row-link.module.css';
import { Table } from '../../_components/tables/table';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import styles from './bookings-table.module.css';
import { useCustomerNames } from './customer-names';
import { daysOf } from './days';
import { ACTION_NAMES, formatDate, formatLongDate, makerName } from './format';
import { type BookingsQuery, bookingHref, directionOf } from './query';
import { StatusBadge } from './status-badge';
import type { BookingSummary } from './types';

type Order = { query: BookingsQuery; go: (patch: Partial<BookingsQuery>) => void };

type Props = {
  bookings: BookingSummary[];
  /**
   * The sort order, which the user changes in the column headers. If it is not set, the user cannot change the order,
   * and the bookings are grouped by day.
   */
  order?: Order;
  /**
   * Starts the cancellation of a booking. If this function is set, the last column contains the buttons that call it.
   * Otherwise, the last column contains the time at which each booking was created.
   */
  onCancel?: (booking: BookingSummary) => void;
  /** Returns the text to show after the date in the heading above a booking; null to show only the date. */
  sectionOf?: (booking: BookingSummary) => string | null;
  busy?: boolean;
  frame?: Ref<HTMLDivElement>;
};

const COLUMNS = 7;

/**
 * The classes of Mantine's component `Code`. Only the classes are used, because the component is slow. On a page with
 * 50 rows, it would account for a tenth of the rendering time.
 */
const CODE = `mantine-Code-root ${Code.classes.root}`;

/** One page of bookings. Each day has a heading, unless the list is sorted by creation time. */
export function BookingsTable({ bookings, order, onCancel, sectionOf, busy = false, frame }: Props) {
  const byDay = order?.query.sort !== 'created_at';
  const hasNames = useCustomerNames().size > 0;
  return (
    <DataTable
      caption="Bookings"
      minWidth={940}
      busy={busy}
      frame={frame ?? null}
      className={styles.table}
      stickyHeader
    >
      <Table.Thead>
        <Table.Tr>
          <Sorted by="starts_at" label="Start (local time)" className={styles.start} order={order} />
          <Header>Service</Header>
          <Header className={styles.location}>Location</Header>
          <Header className={styles.status}>Status</Header>
          <Header className={styles.application}>Made by</Header>
          <Header className={styles.external}>{hasNames ? 'Customer' : 'External reference'}</Header>
          {onCancel ? (
            <Header className={styles.actions}>Actions</Header>
          ) : (
            <Sorted by="created_at" label="Booked" className={styles.booked} order={order} />
          )}
        </Table.Tr>
      </Table.Thead>
      {byDay ? (
        daysOf(bookings, sectionOf).map((day) => (
          <Table.Tbody key={day[0].reference}>
            <DayHeading date={day[0].date} section={sectionOf?.(day[0]) ?? null} />
            <Rows bookings={day} onCancel={onCancel} />
          </Table.Tbody>
        ))
      ) : (
        <Table.Tbody>
          <Rows bookings={bookings} onCancel={onCancel} dated />
        </Table.Tbody>
      )}
    </DataTable>
  );
}

type SortedProps = {
  by: BookingsQuery['sort'];
  label: string;
  className: string | undefined;
  order: Order | undefined;
};

function Sorted({ by, label, className, order }: SortedProps) {
  if (!order) return <Header className={className}>{label}</Header>;
  const { query, go } = order;
  const active = query.sort === by;
  const next = active && directionOf(query) === 'asc' ? 'desc' : active ? 'asc' : null;
  const onSort = () => go({ sort: by, direction: next });
  return (
    <SortColumn label={label} className={className} direction={active ? directionOf(query) : null} onSort={onSort} />
  );
}

function Header({ className, children }: { className?: string | undefined; children: ReactNode }) {
  return (
    <Table.Th scope="col" className={className}>
      {children}
    </Table.Th>
  );
}

function DayHeading({ date, section }: { date: string; section: string | null }) {
  return (
    <Table.Tr className={styles.day}>
      <Table.Th scope="rowgroup" colSpan={COLUMNS}>
        <h2>
          {formatLongDate(date)}
          {section && ` · ${section}`}
        </h2>
      </Table.Th>
    </Table.Tr>
  );
}

type RowProps = { dated?: boolean; onCancel: Props['onCancel'] };

function Rows({ bookings, ...props }: RowProps & { bookings: readonly BookingSummary[] }) {
  return bookings.map((booking) => <Row key={booking.reference} booking={booking} {...props} />);
}

function Row({ booking, dated = false, onCancel }: RowProps & { booking: BookingSummary }) {
  const { reference, service, specialist, location, application } = booking;
  return (
    <Table.Tr className={rowLink.row}>
      <Table.Td data-label="Start (local time)">
        <Link href={bookingHref(reference)} className={rowLink.link} title={reference}>
          {booking.start_time}–{booking.end_time}
        </Link>
        {dated && <span className={styles.second}>{formatDate(booking.date)}</span>}
      </Table.Td>
      <Table.Td data-label="Service" title={`${service.name}, ${specialist.name}`}>
        <span>{service.name}</span>
        <span className={styles.second}>{specialist.name}</span>
      </Table.Td>
      <Table.Td data-label="Location" title={`${location.name}, ${booking.time_zone}`}>
        <span>{location.name}</span>
        <span className={styles.second}>{booking.time_zone}</span>
      </Table.Td>
      <Table.Td data-label="Status">
        <StatusBadge status={booking.status} />
      </Table.Td>
      <Table.Td data-label="Made by" title={makerName(application)}>
        {makerName(application)}
      </Table.Td>
      <Customer booking={booking} />
      {onCancel ? (
        <Table.Td>{booking.status === 'confirmed' && <Cancel booking={booking} onCancel={onCancel} />}</Table.Td>
      ) : (
        <Table.Td data-label="Booked">
          <Time value={booking.created_at} options={SHORT_TIME} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** The customer's name, if the business shows names, and the external reference. */
function Customer({ booking: { reference, external_reference: external } }: { booking: BookingSummary }) {
  const name = useCustomerNames().get(reference);
  const code = (
    <code className={CODE} dir="ltr">
      {external}
    </code>
  );
  if (name === undefined)
    return (
      <Table.Td data-label="External reference" title={external}>
        {code}
      </Table.Td>
    );
  return (
    <Table.Td data-label="Customer" title={`${name}, ${external}`}>
      <bdi>{name}</bdi>
      <span className={styles.second}>{code}</span>
    </Table.Td>
  );
}

type CancelProps = { booking: BookingSummary; onCancel: (booking: BookingSummary) => void };

function Cancel({ booking, onCancel }: CancelProps) {
  const label = ACTION_NAMES.cancel;
  return (
    <Button
      className={styles.button ?? ''}
      variant="default"
      size="compact-sm"
      c="var(--mantine-color-error)"
      aria-label={`${label}, ${formatDate(booking.date)}, ${booking.start_time}`}
      onClick={() => onCancel(booking)}
    >
      {label}
    </Button>
  );
}
