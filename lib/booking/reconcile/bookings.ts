import type { Policy } from '@/lib/access/applications/policy';
import type { BookingRecord } from '@/lib/contract/bookings';
import { pool } from '@/lib/platform/db';
import { bind, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import type { BookingRow } from '../bookings/booking';
import { bookingRecords } from '../bookings/list-by-reference';
import { BOOKING_COLUMNS, IN_LIMIT } from '../bookings/statements';
import { readInTurn } from '../read-turns';

const OWN = sql`b.tenant_id = ${param.text('tenantId')} AND b.application_id = ${param.text('applicationId')}`;

/** Bookings at other locations seem not to exist (contract B16). */
const ALLOWED = sql`(${param.boolean('allLocations')} OR b.location_id = ANY (${param.texts('locationIds')}))`;

/** `startsFrom` and `startsTo` only let PostgreSQL use the index. They contain the days in every time zone. */
const IN_DAYS = sql`${OWN} AND b.starts_at >= ${param.timestamptz('startsFrom')} AND b.starts_at < ${param.timestamptz('startsTo')}
  AND b.date BETWEEN ${param.date('from')} AND ${param.date('to')}`;

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
const PAGES = {
  days: page('bookings-of-days', sql`${IN_DAYS} AND ${ANY_REFERENCE}`),
  changed: page('bookings-changed', sql`${OWN} AND ${CHANGED} AND ${ANY_REFERENCE}`),
  daysChanged: page('bookings-of-days-changed', sql`${IN_DAYS} AND ${CHANGED} AND ${ANY_REFERENCE}`),
  reference: page('bookings-of-reference-filtered', OF_REFERENCE),
};

const LATEST = statement<{ sequence: string; committed_at: Date | null }>('events-latest')`
  SELECT last::text AS sequence, committed_at FROM event_counters WHERE application_id = ${param.text('applicationId')}`;

/** The application's latest event. `sequence` is 0 and `committedAt` null if it has none. */
export type Latest = { sequence: number; committedAt: Date | null };

/** Null: any. At least one of `days`, `updatedSince`, and `externalReference` is given. */
export type Filter = {
  days: { from: string; to: string } | null;
  /** An ISO 8601 timestamp. */
  updatedSince: string | null;
  externalReference: string | null;
  status: string | null;
  locationId: string | null;
};

/** The end of a page: its last reference, and the latest event when the list began. */
export type Position = Latest & { after: string };

export type BookingsPage = { bookings: BookingRecord[]; latest: Latest; next: Position | null };

/** Returns a page of the calling application's bookings at its locations, by reference (contract B16). */
export async function listBookings(
  policy: Policy,
  filter: Filter,
  { position, limit, now }: { position: Position | null; limit: number; now: Date },
): Promise<BookingsPage> {
  return readInTurn('bookings', policy, async () => {
    // Before the page: a change that commits between both has a later sequence, and can be in both.
    const latest = position ?? (await latestEvent(policy));
    const query = queryOf(policy, filter, position?.after ?? '', limit + 1);
    const { rows } = await inTenant(policy.tenantId, () => pool().query<BookingRow>(query));
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      bookings: await bookingRecords(policy, shown, now),
      latest,
      next: last ? { after: last.reference, sequence: latest.sequence, committedAt: latest.committedAt } : null,
    };
  });
}

function queryOf(policy: Policy, filter: Filter, after: string, rows: number) {
  const { days, updatedSince, externalReference, status, locationId } = filter;
  const values = {
    ...ownValues(policy),
    after,
    rows,
    externalReference: externalReference ?? '',
    status: status ?? '',
    locationId: locationId ?? '',
  };
  const range = days && { ...days, ...startsBetween(days.from, days.to) };
  if (range && updatedSince !== null) return bind(PAGES.daysChanged, { ...values, ...range, updatedSince });
  if (range) return bind(PAGES.days, { ...values, ...range });
  if (updatedSince !== null) return bind(PAGES.changed, { ...values, updatedSince });
  return bind(PAGES.reference, values);
}

/** Returns the application's latest event. A read that begins later sees this event and all before it. */
async function latestEvent({ tenantId, applicationId }: Policy): Promise<Latest> {
  const query = bind(LATEST, { applicationId });
  const { rows } = await inTenant(tenantId, () => pool().query<{ sequence: string; committed_at: Date | null }>(query));
  return { sequence: Number(rows[0]?.sequence ?? 0), committedAt: rows[0]?.committed_at ?? null };
}

/** Returns the instants between which the appointments of some local days start, in every time zone. */
function startsBetween(from: string, to: string) {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { startsFrom: new Date(first - 86_400_000), startsTo: new Date(last + 2 * 86_400_000) };
}

function ownValues({ tenantId, applicationId, allLocations, locationIds }: Policy) {
  return { tenantId, applicationId, allLocations, locationIds: [...locationIds] };
}

type DigestRow = { date: string; count: number; hash: string; sequence: string };

// A booking and the number of its event commit together, and one statement has one snapshot. So the digest is that of
// exactly the events up to `sequence`.
const DIGEST = statement<DigestRow>('bookings-digest')`
  SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(g.count, 0)::int AS count,
    encode(sha256(convert_to(coalesce(g.lines, ''), 'UTF8')), 'hex') AS hash,
    coalesce((SELECT last FROM event_counters WHERE application_id = ${param.text('applicationId')}), 0)::text AS sequence
  FROM generate_series(${param.date('from')}::timestamp, ${param.date('to')}::timestamp, interval '1 day') AS d (day)
  LEFT JOIN (
    SELECT b.date, count(*) AS count, string_agg(b.reference || ':' || b.version || E'\\n', '' ORDER BY b.reference COLLATE "C") AS lines
    FROM bookings b WHERE ${IN_DAYS} AND ${ALLOWED} AND ${IN_LIMIT} GROUP BY b.date) AS g ON g.date = d.day::date
  ORDER BY d.day`;

export type Digest = { days: { date: string; count: number; hash: string }[]; sequence: number };

/** Returns the number and the hash of the application's bookings at its locations for each local day (contract B16). */
export async function digestBookings(policy: Policy, { from, to }: { from: string; to: string }): Promise<Digest> {
  return readInTurn('bookings', policy, async () => {
    const query = bind(DIGEST, { ...ownValues(policy), from, to, ...startsBetween(from, to) });
    const { rows } = await inTenant(policy.tenantId, () => pool().query<DigestRow>(query));
    const days = rows.map(({ date, count, hash }) => ({ date, count, hash }));
    return { days, sequence: Number(rows[0]?.sequence ?? 0) };
  });
}
