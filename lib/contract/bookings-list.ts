import { z } from 'zod';
import { booking, bookingStatus, externalReference } from './bookings';
import { boundedText } from './bounded-text';
import { cursorParameter, daysBetween, idOf, limitParameter, nextCursor, storedDate } from './common';
import { line, MAX_SEQUENCE } from './text';
import { instant } from './times';

/** Maximum number of bookings per page (contract B12, B16). */
const MAX_BOOKINGS = 100;

/** Maximum number of days of one list or digest, both ends included, and the age of `updated_since` (contract B16). */
export const MAX_RANGE_DAYS = 31;

const TIMESTAMP = 'must be a timestamp with a UTC offset, such as 2026-09-01T08:00:00.000Z';
const STATUS = 'must be confirmed, cancelled, completed, or no_show';

/** The first and the last day of a list or a digest. */
export const range = {
  from: storedDate.meta({ description: "First day of the appointments, in the location's time zone." }),
  to: storedDate.meta({
    description: `Last day, inclusive; at most ${MAX_RANGE_DAYS - 1} days after \`from\`.`,
    examples: ['2026-09-15'],
  }),
};

/** Returns the field of a range that is wrong, with its message, or null. */
export function rangeProblem(from: string, to: string): { path: 'to'; message: string } | null {
  const days = daysBetween(from, to);
  if (days < 0) return { path: 'to', message: 'must not be before from' };
  if (days >= MAX_RANGE_DAYS) return { path: 'to', message: `must be at most ${MAX_RANGE_DAYS - 1} days after from` };
  return null;
}

const NO_FILTER = 'is required, unless from and to, or updated_since, limit the list';

/** Query of `GET /bookings` (contract B12, B16). A list without a limit of time or reference is refused. */
export const bookingsQuery = z
  .strictObject({
    external_reference: externalReference
      .meta({
        description:
          'The `external_reference` of the bookings, exactly as sent when the bookings were created. Required, unless `from` and `to`, or `updated_since`, limit the list. Alone, the list is newest first.',
      })
      .optional(),
    from: range.from.optional(),
    to: range.to.optional(),
    updated_since: boundedText(40, TIMESTAMP)
      .check(z.iso.datetime({ offset: true, message: TIMESTAMP }))
      .meta({
        ...line(40),
        format: 'date-time',
        description: `Only bookings that changed at or after this time, at most ${MAX_RANGE_DAYS} days ago: the \`next_updated_since\` of your last list.`,
        examples: ['2026-09-01T08:00:00.000Z'],
      })
      .optional(),
    status: z
      .enum(bookingStatus.options, { error: STATUS })
      .meta({ description: 'Only bookings with this status.', examples: ['confirmed'] })
      .optional(),
    location_id: idOf('location', 'Only bookings at this location.').optional(),
    limit: limitParameter(MAX_BOOKINGS, 25),
    cursor: cursorParameter.optional(),
  })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    const { external_reference, from, to, updated_since } = value;
    const refuse = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    if (from !== undefined && to === undefined) refuse('to', 'is required with from');
    else if (from === undefined && to !== undefined) refuse('from', 'is required with to');
    else if (from !== undefined && to !== undefined) {
      const problem = rangeProblem(from, to);
      if (problem) refuse(problem.path, problem.message);
    } else if (external_reference === undefined && updated_since === undefined) refuse('external_reference', NO_FILTER);
  });

/** The latest sequence of the application's events that a response takes into account (contract B16). */
export const latestSequence = z.int().min(0).max(MAX_SEQUENCE);

/** Data of `GET /bookings`: a page of bookings. */
export const bookingsData = z.strictObject({
  bookings: z.array(booking).max(MAX_BOOKINGS).meta({
    description:
      'With `external_reference` alone: newest first. Otherwise by `reference`, each booking once. Empty if your application has no such booking.',
  }),
  next_cursor: nextCursor,
  // Absent from a search by reference alone, whose response is that of B12.
  sequence: latestSequence.optional().meta({
    description:
      'Not in a list with `external_reference` alone. The sequence of your latest event when the list began, the same on each page: apply the events after it to the list. 0 without an event.',
    examples: [4711],
  }),
  next_updated_since: instant
    .nullable()
    .optional()
    .meta({
      description:
        'Not in a list with `external_reference` alone. The `updated_since` of your next list, the same on each page: no change is missed. Null without an event: use your last value.',
      examples: ['2026-09-01T08:00:00.000Z'],
    }),
});
