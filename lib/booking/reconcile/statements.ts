import { param, type Sql, sql, statement } from '@/lib/platform/sql';
import type { BookingRow } from '../bookings/row';
import { BOOKING_COLUMNS, IN_LIMIT } from '../bookings/statements';
import { IS_LOCAL, LACKS_LOCAL } from '../local-columns';

const OWN = sql`b.tenant_id = ${param.text('tenantId')} AND b.application_id = ${param.text('applicationId')}`;

/** Bookings at other locations seem not to exist (contract B16). */
export const ALLOWED = sql`(${param.boolean('allLocations')} OR b.location_id = ANY (${param.texts('locationIds')}))`;

/** `startsFrom` and `startsTo` only let PostgreSQL use the index. They contain the days in every time zone. */
export const IN_DAYS = sql`${OWN} AND b.starts_at >= ${param.timestamptz('startsFrom')} AND b.starts_at < ${param.timestamptz('startsTo')}
  AND ${IS_LOCAL} AND b.date BETWEEN ${param.date('from')} AND ${param.date('to')}`;

/**
 * A change can commit long after its `updated_at`. Then the time of its commit counts. Changes that an earlier version
 * committed have no such time.
 */
const CHANGED = sql`b.reference IN (
    SELECT v.booking_reference FROM events v
    WHERE v.tenant_id = ${param.text('tenantId')} AND v.at >= ${param.timestamptzText('updatedSince')}
      AND v.application_id = ${param.text('applicationId')} AND v.version IS NOT NULL
    UNION
    SELECT v.booking_reference FROM event_sequences s JOIN events v ON v.id = s.event_id
    WHERE s.application_id = ${param.text('applicationId')} AND s.committed_at >= ${param.timestamptzText('updatedSince')}
      AND v.version IS NOT NULL)`;

const OF_REFERENCE = sql`${OWN} AND b.external_reference = ${param.text('externalReference')}
  AND lower(b.external_reference) = lower(${param.text('externalReference')})`;

const ANY_REFERENCE = sql`(${param.text('externalReference')} = '' OR b.external_reference = ${param.text('externalReference')})`;

// The reference never changes, so a booking that changes while the list is read is neither skipped nor repeated. The
// condition IN_LIMIT is outside of the subquery, as in `FIND_BY_EXTERNAL_REFERENCE`.
const page = <Values>(name: string, filter: Sql<Values>) => statement<BookingRow>(name)`
  SELECT b.* FROM (
    SELECT ${BOOKING_COLUMNS} FROM bookings b
    WHERE ${filter} AND ${ALLOWED} AND b.reference > ${param.text('after')}
      AND (${param.text('status')} = '' OR b.status::text = ${param.text('status')})
      AND (${param.text('locationId')} = '' OR b.location_id = ${param.text('locationId')})
    ORDER BY b.reference LIMIT ${param.int('rows')}) b
  WHERE ${IN_LIMIT} ORDER BY b.reference`;

/** Pages by the filters of a request. One statement for all would get a plan that fits none. */
export const PAGES = {
  days: page('bookings-of-days', sql`${IN_DAYS} AND ${ANY_REFERENCE}`),
  changed: page('bookings-changed', sql`${OWN} AND ${CHANGED} AND ${ANY_REFERENCE}`),
  daysChanged: page('bookings-of-days-changed', sql`${IN_DAYS} AND ${CHANGED} AND ${ANY_REFERENCE}`),
  reference: page('bookings-of-reference-filtered', OF_REFERENCE),
};

/** `lacks`: whether the local date of a booking must still be derived, so lists by date would not contain it. */
export type State = { sequence: string | null; committed_at: Date | null; lacks: boolean };

export const STATE = statement<State>('events-state')`
  SELECT c.last::text AS sequence, c.committed_at, EXISTS (
    SELECT FROM bookings b WHERE ${LACKS_LOCAL} AND ${OWN}) AS lacks
  FROM (SELECT) AS one LEFT JOIN event_counters c ON c.application_id = ${param.text('applicationId')}`;
