import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { bind, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { bookingTimes } from '../availability';
import type { BookingRow } from '../bookings/row';
import { LOCAL_COLUMNS } from '../local-columns';
import type { Feed } from './feeds';

/** Maximum number of events in a feed. */
export const MAX_EVENTS = 5_000;

const PAGE_SIZE = 500;

const DAY_MS = 86_400_000;
/** For how many days a feed contains past and canceled bookings. */
const PAST_DAYS = 30;
/** No service can be booked further ahead than this number of days (`services_advance`). The last one can be exceeded by a day. */
const AHEAD_DAYS = 1_826;

/** An event of a feed: a booking, or another time that a calendar program shows. */
export type FeedEvent = {
  /** Never changes, and belongs to no other event. */
  uid: string;
  /** Rises with each change of the event. */
  sequence: number;
  created: Date;
  changed: Date;
  /** Start and end in RFC 3339, in local time with its offset. */
  starts_at: string;
  ends_at: string;
  /** IANA time zone of both. */
  time_zone: string;
  cancelled: boolean;
  summary: string;
  description: string;
  location: string;
  url: string;
};

type Row = Pick<BookingRow, 'reference' | 'version' | 'status' | 'starts_at' | 'ends_at' | 'time_zone'> &
  Pick<BookingRow, 'date' | 'start_time' | 'end_date' | 'end_time' | 'created_at' | 'updated_at'> &
  Record<'service' | 'specialist' | 'location' | 'address', string>;

type Cursor = { at: Date; reference: string };

const VALUES = {
  tenantId: param.text('tenantId'),
  subject: nullable(param.text('subject')),
  from: param.timestamptz('from'),
  to: param.timestamptz('to'),
  kept: param.timestamptz('kept'),
  at: nullable(param.timestamptz('at')),
  reference: nullable(param.text('reference')),
};

const SUBJECT = {
  specialist: sql`AND b.specialist_id = ${VALUES.subject}`,
  location: sql`AND b.location_id = ${VALUES.subject}`,
  business: sql`AND ${VALUES.subject} IS NULL`,
};

const ORDER = {
  ahead: {
    after: sql`AND (b.starts_at, b.reference) > (${VALUES.at}, ${VALUES.reference})`,
    by: sql`b.starts_at, b.reference`,
  },
  back: {
    after: sql`AND (b.starts_at, b.reference) < (${VALUES.at}, ${VALUES.reference})`,
    by: sql`b.starts_at DESC, b.reference DESC`,
  },
};

type Direction = keyof typeof ORDER;
type Needs = (typeof SUBJECT)['business'] extends Sql<infer V> ? V : never;

/** Returns the SQL that reads one page of bookings between two starts, nearest to now first. */
function pageSql(kind: keyof typeof SUBJECT, direction: Direction, isFirst: boolean) {
  const { after, by } = ORDER[direction];
  const subject: Sql<Needs> = SUBJECT[kind];
  return statement<Row>()`
    SELECT b.*, coalesce(s.name->>t.default_locale, s.id) AS service, p.display_name AS specialist,
      coalesce(l.name->>t.default_locale, l.city) AS location, concat_ws(', ', l.line1, concat_ws(' ', l.postal_code, l.city)) AS address
    FROM (SELECT ${LOCAL_COLUMNS}, b.tenant_id, b.service_id, b.specialist_id, b.location_id, b.reference, b.version, b.status,
        b.starts_at, b.ends_at, b.time_zone, b.created_at, b.updated_at
      FROM bookings b
      WHERE b.tenant_id = ${VALUES.tenantId} ${subject} AND b.starts_at >= ${VALUES.from} AND b.starts_at < ${VALUES.to}
        AND (b.status <> 'cancelled' OR b.cancelled_at >= ${VALUES.kept}) ${isFirst ? sql`` : after}
      ORDER BY ${by} LIMIT ${PAGE_SIZE}) b
      JOIN tenants t ON t.id = b.tenant_id
      JOIN services s ON s.id = b.service_id
      JOIN specialists p ON p.id = b.specialist_id
      JOIN locations l ON l.id = b.location_id
    ORDER BY ${by}`;
}

/**
 * Yields the events of a feed, page by page: at most `MAX_EVENTS`, upcoming ones first, so that a business with many past
 * bookings does not lose upcoming ones. Another kind of event is another loop here, with the remaining number of events.
 */
export async function* feedEvents(now: Date, feed: Feed): AsyncGenerator<FeedEvent[]> {
  let left = MAX_EVENTS;
  for (const direction of ['ahead', 'back'] as const)
    for await (const rows of bookingPages(now, feed, direction)) {
      const events = rows.slice(0, left).map((row) => bookingEvent(feed, row));
      left -= events.length;
      yield events;
      if (left === 0) return;
    }
}

async function* bookingPages(now: Date, feed: Feed, direction: Direction): AsyncGenerator<Row[]> {
  const { tenantId, specialistId, locationId } = feed;
  const kind = specialistId !== null ? 'specialist' : locationId !== null ? 'location' : 'business';
  const subject = specialistId ?? locationId;
  const days = (count: number) => new Date(now.getTime() + count * DAY_MS);
  const kept = days(-PAST_DAYS);
  const range = direction === 'ahead' ? { from: now, to: days(AHEAD_DAYS) } : { from: kept, to: now };
  let cursor: Cursor | null = null;
  do {
    const position: { at: Date | null; reference: string | null } = cursor ?? { at: null, reference: null };
    const values = { tenantId, subject, kept, ...range, ...position };
    const { rows }: { rows: Row[] } = await pool().query<Row>(bind(pageSql(kind, direction, cursor === null), values));
    const last = rows.at(-1);
    cursor = last && rows.length === PAGE_SIZE ? { at: last.starts_at, reference: last.reference } : null;
    if (rows.length > 0) yield rows;
  } while (cursor !== null);
}

function bookingEvent({ tenantId, specialistId }: Feed, row: Row): FeedEvent {
  const { reference, version, status, service, specialist, location, address } = row;
  const { starts_at, ends_at } = bookingTimes(row);
  return {
    // The reference is random, so no other event has it. Unlike an address, it never changes.
    uid: reference,
    sequence: version,
    created: row.created_at,
    changed: row.updated_at,
    starts_at,
    ends_at,
    time_zone: row.time_zone,
    cancelled: status === 'cancelled',
    summary: specialistId === null ? `${service} – ${specialist}` : service,
    description: `Reference: ${reference}\nService: ${service}\nSpecialist: ${specialist}\nLocation: ${location}`,
    location: `${location}, ${address}`,
    url: `${env().origin}/t/${tenantId}/bookings/${reference}`,
  };
}
