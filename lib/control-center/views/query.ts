import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import { calendarDate } from '@/lib/contract/common';
import { BOOKING_FIELDS, REQUEST_FIELDS } from '../filters/fields';
import { viewFieldsOf } from '../filters/inputs';
import { PERIOD_NAMES } from '../requests/filter';

const UTC_TIME = 'must be a UTC timestamp';
const time = boundedText(40, UTC_TIME)
  .check(z.iso.datetime({ message: UTC_TIME }))
  .optional();
const date = calendarDate.optional();

/** For each page with saved views, the URL parameters that a view contains. The cursor and the live mode are not saved. */
export const VIEW_QUERIES = {
  requests: z.object({
    period: z.enum([...PERIOD_NAMES, 'custom']).optional(),
    from: time,
    to: time,
    ...viewFieldsOf(REQUEST_FIELDS),
    order: z.enum(['newest', 'oldest']).optional(),
  }),
  bookings: z.object({
    period: z.enum(['upcoming', 'past', 'all', 'dates']).optional(),
    from: date,
    to: date,
    ...viewFieldsOf(BOOKING_FIELDS),
    sort: z.enum(['starts_at', 'created_at']).optional(),
    direction: z.enum(['asc', 'desc']).optional(),
  }),
};

export const VIEW_PAGES = ['requests', 'bookings'] as const;

export type ViewPage = (typeof VIEW_PAGES)[number];

export type ViewQuery = Record<string, string>;

/**
 * Returns the stored query of a view. Returns an empty query if this release does not accept a stored value, for
 * example one that a newer release stored.
 */
export function readViewQuery(page: ViewPage, stored: unknown): ViewQuery {
  const parsed = VIEW_QUERIES[page].safeParse(stored);
  return parsed.success ? (parsed.data as ViewQuery) : {};
}
