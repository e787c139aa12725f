import { addressWith, cursorOf, dateOf, textOf, wordOf } from '../../_components/use-address';
import type { BookingStatus, ListInput } from './types';

/** The stretches of time of the page. */
export const PERIODS = ['upcoming', 'past', 'all', 'dates'] as const;

/** Every state, in the order of the filter. */
export const STATUSES = ['confirmed', 'cancelled', 'completed', 'no_show'] as const satisfies BookingStatus[];

/** What the list can be sorted by. */
export const SORTS = ['starts_at', 'created_at'] as const;

/** What the Bookings page shows; all of it is in the address. */
export type BookingsQuery = {
  period: (typeof PERIODS)[number];
  /** Of dates, in each location's zone, both inclusive. */
  from: string | null;
  to: string | null;
  status: BookingStatus | null;
  location: string | null;
  service: string | null;
  specialist: string | null;
  application: string | null;
  reference: string | null;
  sort: (typeof SORTS)[number];
  /** Null is the one that the period suggests: the next first, or the last. */
  direction: 'asc' | 'desc' | null;
  cursor: string | null;
  back: boolean;
};

/** No filter set. */
export const NO_FILTERS = {
  status: null,
  location: null,
  service: null,
  specialist: null,
  application: null,
  reference: null,
} satisfies Partial<BookingsQuery>;

/** Reads the address. What is no value of ours counts as not set: an old link still opens the page. */
export function readQuery(params: URLSearchParams): BookingsQuery {
  return {
    period: wordOf(params, 'period', PERIODS) ?? 'upcoming',
    from: dateOf(params, 'from'),
    to: dateOf(params, 'to'),
    status: wordOf(params, 'status', STATUSES),
    location: textOf(params, 'location'),
    service: textOf(params, 'service'),
    specialist: textOf(params, 'specialist'),
    application: textOf(params, 'application'),
    reference: textOf(params, 'reference')?.slice(0, 128) ?? null,
    sort: wordOf(params, 'sort', SORTS) ?? 'starts_at',
    direction: wordOf(params, 'direction', ['asc', 'desc']),
    cursor: cursorOf(params),
    back: params.get('back') === '1',
  };
}

/** Returns the query after a change. Whatever changes but the page itself begins on the first page again. */
export function changeQuery(query: BookingsQuery, patch: Partial<BookingsQuery>): BookingsQuery {
  const changed = { ...query, cursor: null, back: false, ...patch };
  return changed.period === 'dates' ? changed : { ...changed, from: null, to: null };
}

/** Returns the address that shows a query; what is as always is not in it. */
export function hrefOf(query: Partial<BookingsQuery>): string {
  const { period, sort, back, ...texts } = query;
  return addressWith('/bookings', {
    period: period === 'upcoming' ? null : (period ?? null),
    sort: sort === 'created_at' ? sort : null,
    back: back ? '1' : null,
    ...texts,
  });
}

/** Returns the address of one booking. */
export function bookingHref(reference: string): string {
  return `/bookings/${encodeURIComponent(reference)}`;
}

/** Returns the address of a location's day; what is not given is left to the page. */
export function dayHref(day: { location: string | null; date: string | null }): string {
  return addressWith('/bookings/day', day);
}

/** Returns the order in which a query lists. */
export function directionOf({ sort, direction, period }: BookingsQuery): 'asc' | 'desc' {
  if (direction !== null) return direction;
  return sort === 'starts_at' && (period === 'upcoming' || period === 'dates') ? 'asc' : 'desc';
}

/** Returns what the server is asked for. */
export function listInput(query: BookingsQuery): ListInput {
  const { period, from, to, location, service, specialist, application, status, reference } = query;
  return {
    period: period === 'dates' ? { from, to } : period,
    status,
    reference,
    location_id: location,
    service_id: service,
    specialist_id: specialist,
    application_id: application,
    sort: query.sort,
    direction: directionOf(query),
    cursor: query.cursor,
    back: query.back,
  };
}

/** Tells whether anything narrows the list beside the time. */
export function isFiltered(query: BookingsQuery): boolean {
  return (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => query[name] !== null);
}
