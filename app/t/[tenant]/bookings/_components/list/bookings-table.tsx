'use client';

import { Button, Code, VisuallyHidden } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { type ReactNode, useContext } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { useHydrated } from '@/app/_components/use-hydrated';
import type { Formats } from '@/lib/platform/text/formats';
import { DataTable, SortColumn } from '../../../_components/tables/data-table';
import rowLink from '../../../_components/tables/row-link.module.css';
import { Table } from '../../../_components/tables/table';
import { IsStacked } from '../../../_components/tables/use-stacked';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { formatPrice } from '../../../catalog/_components/prices/money';
import { useToday } from '../day-stepper';
import { useCustomerNames } from '../display/customer-names';
import { dateText, longDateText, makerText, timesText, timeText, weekdayText } from '../display/format';
import { StatusBadge } from '../display/status-badge';
import { deadlineMoment, deadlineText, termsTexts } from '../display/terms';
import { type BookingsQuery, bookingHref, directionOf } from '../query';
import type { BookingSummary } from '../types';
import styles from './bookings-table.module.css';
import { daysOf, hasSeveralZones, readersTime, type SectionKind } from './days';

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
  /** Returns the section to show after the date in the heading above a booking; null to show only the date. */
  sectionOf?: (booking: BookingSummary) => SectionKind | null;
  busy?: boolean;
};

const COLUMNS = 7;

/**
 * The classes of Mantine's component `Code`. Only the classes are used, because the component is slow. On a page with
 * 50 rows, it would account for a tenth of the rendering time.
 */
const CODE = `mantine-Code-root ${Code.classes.root}`;

/**
 * One page of bookings. Each day has a heading, unless the list is sorted by creation time. Bookings of several time zones
 * also show the reader's time, and the days are then the reader's, so that the list reads in order.
 */
export function BookingsTable({ bookings, order, onCancel, sectionOf, busy = false }: Props) {
  const texts = useTexts();
  const { t } = texts;
  const byDay = order?.query.sort !== 'created_at';
  const hasNames = useCustomerNames().size > 0;
  const today = useToday();
  // The server does not know the reader's time zone.
  const isMixed = useHydrated() && hasSeveralZones(bookings);
  const dateOf = (booking: BookingSummary) => (isMixed ? readersTime(booking.starts_at).date : booking.date);
  return (
    <DataTable caption={t('caption')} minWidth={940} busy={busy} className={styles.table} stickyHeader>
      <Table.Thead>
        <Table.Tr>
          <Sorted by="starts_at" label={t('start')} className={isMixed ? styles.zoned : styles.start} order={order} />
          <Header>{t('service')}</Header>
          <Header className={styles.location}>{t('location')}</Header>
          <Header className={styles.status}>{t('status')}</Header>
          <Header className={styles.application}>{t('madeBy')}</Header>
          <Header className={styles.external}>{t(hasNames ? 'customer' : 'external')}</Header>
          {onCancel ? (
            <Header className={styles.actions}>{t('actions')}</Header>
          ) : (
            <Sorted by="created_at" label={t('booked')} className={styles.booked} order={order} />
          )}
        </Table.Tr>
      </Table.Thead>
      {byDay ? (
        daysOf(bookings, sectionOf, dateOf).map((day) => {
          const section = sectionOf?.(day[0]);
          return (
            <Table.Tbody key={day[0].reference}>
              <DayHeading
                date={longDateText(texts.format, dateOf(day[0]))}
                notes={[dateOf(day[0]) === today && t('today'), isMixed && t('yourZone'), section && t(section)]}
              />
              <Rows bookings={day} texts={texts} onCancel={onCancel} isMixed={isMixed} />
            </Table.Tbody>
          );
        })
      ) : (
        <Table.Tbody>
          <Rows bookings={bookings} texts={texts} onCancel={onCancel} isMixed={isMixed} dated />
        </Table.Tbody>
      )}
    </DataTable>
  );
}

type Texts = {
  t: Translator<'bookings.table'>;
  terms: Translator<'bookings.terms'>;
  words: Translator<'words'>;
  format: Formats;
};

function useTexts(): Texts {
  return {
    t: useTranslations('bookings.table'),
    terms: useTranslations('bookings.terms'),
    words: useTranslations('words'),
    format: useFormats(),
  };
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

type HeadingProps = { date: string; notes: readonly (string | false | null | undefined)[] };

function DayHeading({ date, notes }: HeadingProps) {
  return (
    <Table.Tr className={styles.day}>
      <Table.Th scope="rowgroup" colSpan={COLUMNS}>
        <h2>{[date, ...notes.filter(Boolean)].join(' · ')}</h2>
      </Table.Th>
    </Table.Tr>
  );
}

/** `isMixed`: the list has bookings of several time zones. `dated`: it is not grouped by day. */
type RowProps = { texts: Texts; dated?: boolean; isMixed: boolean; onCancel: Props['onCancel'] };

function Rows({ bookings, ...props }: RowProps & { bookings: readonly BookingSummary[] }) {
  return bookings.map((booking) => <Row key={booking.reference} booking={booking} {...props} />);
}

function Row({ booking, onCancel, ...list }: RowProps & { booking: BookingSummary }) {
  const { reference, service, specialist, location, application, price } = booking;
  const { t, terms, words, format } = list.texts;
  const isStacked = useContext(IsStacked);
  const own = startTexts(booking, list);
  const maker = makerText(words, application);
  const moment = deadlineMoment(format, booking);
  return (
    <Table.Tr className={rowLink.row}>
      <Table.Td data-label={t('start')}>
        <Link href={bookingHref(reference)} className={rowLink.link} title={reference}>
          {timesText(format, booking)}
          <VisuallyHidden>
            , {service.name}, {specialist.name}
          </VisuallyHidden>
        </Link>
        {own.length > 0 && <span className={styles.second}>{own.join(' · ')}</span>}
      </Table.Td>
      <Table.Td data-cell="service" data-label={t('service')} title={`${service.name}, ${specialist.name}`}>
        <span>{service.name}</span>
        <span className={styles.second}>
          {specialist.name}
          {price && ` · ${formatPrice(price.amount, price.currency, format.language)}`}
        </span>
      </Table.Td>
      <Table.Td data-cell="location" data-label={t('location')} title={`${location.name}, ${booking.time_zone}`}>
        <span>{location.name}</span>
        <span className={styles.second}>{booking.time_zone}</span>
      </Table.Td>
      <Table.Td data-label={t('status')}>
        {isStacked && booking.status === 'confirmed' ? (
          <VisuallyHidden>{words('bookingStatus.confirmed')}</VisuallyHidden>
        ) : (
          <StatusBadge status={booking.status} />
        )}
      </Table.Td>
      <Table.Td
        data-cell="maker"
        data-label={t('madeBy')}
        title={moment === null ? maker : t('canChange', { maker, moment })}
      >
        {maker}
        {moment !== null && <span className={styles.second}>{deadlineText(terms, format, booking)}</span>}
      </Table.Td>
      <Customer booking={booking} own={own} texts={list.texts} />
      {onCancel ? (
        <Table.Td>
          {booking.status === 'confirmed' && <Cancel booking={booking} texts={list.texts} onCancel={onCancel} />}
        </Table.Td>
      ) : (
        <Table.Td data-cell="booked" data-label={t('booked')}>
          <Time value={booking.created_at} options={SHORT_TIME} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** What the list does not say about a booking's start: its local date, and the reader's time if it differs. */
function startTexts(
  { date, start_time, starts_at }: BookingSummary,
  { dated, isMixed, texts }: Omit<RowProps, 'onCancel'>,
) {
  const readers = isMixed ? readersTime(starts_at) : null;
  const isOtherDate = readers !== null && readers.date !== date;
  const differs = readers !== null && (isOtherDate || readers.time !== start_time);
  return [
    ...(dated ? [dateText(texts.format, date)] : isOtherDate ? [weekdayText(texts.format, date)] : []),
    ...(differs ? [texts.t('yourTime', { time: timeText(texts.format, readers.time) })] : []),
  ];
}

/**
 * The customer's name, if the business shows names, and the external reference. On a narrow screen, the row's second line
 * instead.
 */
function Customer({ booking, own, texts }: { booking: BookingSummary; own: readonly string[]; texts: Texts }) {
  const { t, terms, format } = texts;
  const { reference, external_reference: external, specialist, location, time_zone } = booking;
  const name = useCustomerNames().get(reference);
  const isStacked = useContext(IsStacked);
  const code = (
    <code className={CODE} dir="ltr">
      {external}
    </code>
  );
  const brief = [
    ...own,
    specialist.name,
    own.length > 0 ? `${location.name} (${time_zone})` : location.name,
    ...termsTexts(terms, format, booking, booking.date),
  ].join(' · ');
  return (
    <Table.Td
      data-cell={name === undefined ? 'external' : 'customer'}
      data-label={t(name === undefined ? 'external' : 'customer')}
      title={name === undefined ? external : `${name}, ${external}`}
    >
      {isStacked ? (
        <>
          {name !== undefined && (
            <>
              <bdi>{name}</bdi> ·{' '}
            </>
          )}
          {brief} · <bdi>{external}</bdi>
        </>
      ) : (
        <>
          {name === undefined ? code : <bdi>{name}</bdi>}
          {booking.has_note && (
            <IconNote size={14} className={styles.note} role="img" aria-label={t('hasNote')} title={t('hasNote')} />
          )}
          {name !== undefined && <span className={styles.second}>{code}</span>}
        </>
      )}
    </Table.Td>
  );
}

type CancelProps = { booking: BookingSummary; texts: Texts; onCancel: (booking: BookingSummary) => void };

function Cancel({ booking, texts: { t, words, format }, onCancel }: CancelProps) {
  const label = words('bookingAction.cancel');
  return (
    <Button
      className={styles.button ?? ''}
      variant="default"
      size="compact-sm"
      c="var(--mantine-color-error)"
      aria-label={t('cancelOf', {
        action: label,
        date: dateText(format, booking.date),
        time: timeText(format, booking.start_time),
      })}
      onClick={() => onCancel(booking)}
    >
      {label}
    </Button>
  );
}
