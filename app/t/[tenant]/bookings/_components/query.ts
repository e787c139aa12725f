import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { BOOKING_FIELDS } from '@/lib/control-center/filters/fields';
import type { Inputs } from '../../_components/api-types';
import { filterOf, fromFirstPage, PAGING } from '../../_components/filters/filter-of';
import { createHref } from '../../_components/url-href';
import { parseAsDate, parseAsPattern, parseAsText } from '../../_components/url-parsers';

export const FILTER = filterOf(BOOKING_FIELDS);

/** The URL parameters of the Bookings page. */
export const PARSERS = {
  period: parseAsStringLiteral(['upcoming', 'past', 'all', 'dates']).withDefault('upcoming'),
  // The first and the last date if `period` is `dates`. Dates are in the time zone of each booking's location.
  from: parseAsDate,
  to: parseAsDate,
  ...FILTER.parsers,
  sort: parseAsStringLiteral(['starts_at', 'created_at']).withDefault('starts_at'),
  // If null, the direction is the default, which depends on the sort column and the period.
  direction: parseAsStringLiteral(['asc', 'desc']),
  ...PAGING,
};

/** The parsed values of the URL parameters. */
export type BookingsQuery = inferParserType<typeof PARSERS>;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: BookingsQuery, patch: Partial<BookingsQuery>): BookingsQuery {
  const changed = fromFirstPage(query, patch);
  return changed.period === 'dates' ? changed : { ...changed, from: null, to: null };
}

const createBookingsHref = createHref(PARSERS);

/** Returns the URL of the Bookings page with these filters. */
export function bookingsHref(query: Partial<BookingsQuery>): string {
  return createBookingsHref('/bookings', query);
}

/** Returns the URL of one booking. */
export function bookingHref(reference: string): string {
  return `/bookings/${encodeURIComponent(reference)}`;
}

const SCHEDULE_PARSERS = { location: parseAsText(), date: parseAsDate };

/** The URL parameters of the day schedule. */
export const DAY_PARSERS = {
  ...SCHEDULE_PARSERS,
  // What a narrow screen shows. A wide screen always shows the calendar.
  layout: parseAsStringLiteral(['rows', 'calendar']).withDefault('rows'),
};

const createDayHref = createHref(SCHEDULE_PARSERS);

/** Returns the URL of the day schedule. For a location or date that is null, the page uses a default. */
export function dayHref({ location, date }: { location: string | null; date: string | null }): string {
  return createDayHref('/bookings/day', { location, date });
}

/** The URL parameters of the week schedule. */
export const WEEK_PARSERS = { ...SCHEDULE_PARSERS, specialist: parseAsText() };

const createWeekHref = createHref(WEEK_PARSERS);

/** Returns the URL of the week schedule. For a location or date that is null, the page uses a default. */
export function weekHref({ location, date }: { location: string | null; date: string | null }): string {
  return createWeekHref('/bookings/week', { location, date });
}

/** The URL parameters of the page that makes a booking: what the form suggests. */
export const NEW_PARSERS = {
  ...WEEK_PARSERS,
  time: parseAsPattern(/^([01]\d|2[0-3]):[0-5]\d$/),
};

export type NewBookingQuery = inferParserType<typeof NEW_PARSERS>;

const createNewBookingHref = createHref(NEW_PARSERS);

/** Returns the URL of the page that makes a booking. */
export function newBookingHref(query: Partial<NewBookingQuery>): string {
  return createNewBookingHref('/bookings/new', query);
}

/** Returns a query's sort direction. */
export function directionOf({ sort, direction, period }: BookingsQuery): 'asc' | 'desc' {
  if (direction !== null) return direction;
  return sort === 'starts_at' && (period === 'upcoming' || period === 'dates') ? 'asc' : 'desc';
}

type FilterInput = Omit<Inputs['bookings']['list'], 'sort' | 'direction' | 'cursor' | 'back'>;

/** Returns the filters as input of the `bookings.list` procedure and of the export. */
export function filterInput(query: BookingsQuery): FilterInput {
  const { period, from, to } = query;
  return { ...FILTER.inputOf(query), status: statusOf(query), period: period === 'dates' ? { from, to } : period };
}

/** Returns the input of the `bookings.list` procedure. */
export function listInput(query: BookingsQuery): Inputs['bookings']['list'] {
  const { sort, cursor, back } = query;
  return { ...filterInput(query), sort, direction: directionOf(query), cursor, back };
}

function statusOf({ status, reference }: BookingsQuery): Inputs['bookings']['list']['status'] {
  if (status === 'any') return null;
  return status ?? (reference === null ? 'active' : null);
}

/** Returns whether the list omits canceled bookings. It does if it is filtered neither by status nor by reference. */
export function hidesCancelled(query: BookingsQuery): boolean {
  return statusOf(query) === 'active';
}
