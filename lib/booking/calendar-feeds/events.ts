import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { bind, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { boundaryInstant, DAY, formatDay, formatInstant, storedZone } from '@/lib/platform/time-zones';
import { docOf } from '../blocks/change';
import { occurrencesOf } from '../blocks/days';
import { BLOCK_COLUMNS, type BlockRow } from '../blocks/statements';
import type { BookingRow } from '../bookings/booking';
import { bookingTimes, LOCAL_COLUMNS } from '../local-times';
import type { Feed } from './feeds';

/** Maximum number of events in a feed. */
const MAX_EVENTS = 5_000;

const PAGE_SIZE = 500;

const DAY_MS = 86_400_000;
/** For how many days a feed contains past and canceled bookings. */
const PAST_DAYS = 30;
/** For how many days ahead a feed contains blocks. Each occurrence is an event. */
const BLOCKED_DAYS = 366;
/** Maximum number of blocks that a feed reads. Only those that own systems push can exceed it. */
const MAX_BLOCKS = 3_000;
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
  location: string | null;
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
 * Yields the events of a feed, page by page: at most `MAX_EVENTS`. Upcoming bookings come first, so that a business with
 * many past bookings or blocks does not lose them. Then come past bookings, and blocks, soonest first.
 */
export async function* feedEvents(now: Date, feed: Feed): AsyncGenerator<FeedEvent[]> {
  let left = MAX_EVENTS;
  for (const direction of ['ahead', 'back'] as const)
    for await (const rows of bookingPages(now, feed, direction)) {
      const events = rows.slice(0, left).map((row) => eventOfBooking(feed, row));
      left -= events.length;
      yield events;
      if (left === 0) return;
    }
  yield await blockEvents(now, feed, left);
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

function eventOfBooking({ tenantId, specialistId }: Feed, row: Row): FeedEvent {
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

type Blocked = BlockRow & { created_at: Date; changed_at: Date | null; name: string; zones: string[] };

/*
 * A block closes local time, so it is an event in each time zone in which it closes time of the feed: that of its location,
 * or those of the locations where the specialist offers something. The feed of a location also has the blocks of the
 * specialists there, and that of a specialist those of the locations.
 */
const BLOCKS = statement<Blocked>('calendar-feed-blocks')`
  SELECT ${BLOCK_COLUMNS}, k.created_at, k.changed_at, coalesce(z.names, ARRAY[t.time_zone]) AS zones,
    coalesce(p.display_name, l.name->>t.default_locale, l.city, t.name) AS name
  FROM blocks k JOIN tenants t ON t.id = k.tenant_id
    LEFT JOIN specialists p ON p.id = k.specialist_id
    LEFT JOIN locations l ON l.id = k.location_id
    CROSS JOIN LATERAL (
      SELECT array_agg(DISTINCT x.time_zone) AS names FROM locations x
      WHERE x.tenant_id = k.tenant_id AND (x.id = k.location_id) IS NOT FALSE
        AND (x.id = ${nullable(param.text('locationId'))}) IS NOT FALSE
        AND (coalesce(k.specialist_id, ${nullable(param.text('specialistId'))}) IS NULL OR EXISTS (
          SELECT FROM offerings o WHERE o.tenant_id = k.tenant_id AND o.location_id = x.id
            AND o.specialist_id = coalesce(k.specialist_id, ${nullable(param.text('specialistId'))})))) z
  WHERE k.tenant_id = ${param.text('tenantId')} AND k.source <> 'calendar' AND k.last_day >= ${param.date('from')}
    AND (k.specialist_id = ${nullable(param.text('specialistId'))}) IS NOT FALSE
    AND (z.names IS NOT NULL OR k.location_id IS NULL AND ${nullable(param.text('locationId'))} IS NULL)
  ORDER BY k.last_day < ${param.date('today')}, k.starts_at, k.id LIMIT ${MAX_BLOCKS}`;

/** Returns the soonest occurrences of the blocks in a feed. Their reasons are private, so no event contains one. */
async function blockEvents(now: Date, feed: Feed, limit: number): Promise<FeedEvent[]> {
  const { tenantId, specialistId, locationId } = feed;
  const kept = new Date(now.getTime() - PAST_DAYS * DAY_MS);
  const from = kept.toISOString().slice(0, 10);
  const today = now.toISOString().slice(0, 10);
  const { rows } = await pool().query<Blocked>(bind(BLOCKS, { tenantId, specialistId, locationId, from, today }));
  const range = { from: kept.getTime() / 60_000, to: now.getTime() / 60_000 + BLOCKED_DAYS * DAY };
  let found: Occurrence[] = [];
  for (const row of rows) {
    found.push(...occurrencesIn(row, range));
    // Keeps the memory for blocks that repeat every day bounded.
    if (found.length > 4 * MAX_EVENTS) found = soonest(found, limit);
  }
  return soonest(found, limit).map((occurrence) => blockEvent(feed, occurrence));
}

/** An occurrence of a block in a time zone, in epoch minutes. `local` is its local start in minutes. */
type Occurrence = { row: Blocked; zone: ReturnType<typeof storedZone>; local: number; from: number; to: number };

const soonest = (found: Occurrence[], limit: number) => found.sort((a, b) => a.from - b.from).slice(0, limit);

function occurrencesIn(row: Blocked, range: { from: number; to: number }): Occurrence[] {
  const occurrences = occurrencesOf(docOf(row));
  const zones = new Map(row.zones.map(storedZone).map((zone) => [zone.name, zone]));
  return [...zones.values()].flatMap((zone) =>
    occurrences.flatMap(({ from: local, to }) => {
      const at = { from: boundaryInstant(zone, local), to: boundaryInstant(zone, to) };
      // A block within an hour that the clock skips closes nothing.
      const isIn = at.from < at.to && at.to > range.from && at.from < range.to;
      return isIn ? [{ row, zone, local, ...at }] : [];
    }),
  );
}

function blockEvent(
  { tenantId, specialistId, locationId }: Feed,
  { row, zone, local, from, to }: Occurrence,
): FeedEvent {
  const { id, version, name, created_at, changed_at, subject_id } = row;
  const isOwn = subject_id === (specialistId ?? locationId ?? tenantId);
  const day = row.every_weeks === null ? '' : `-${formatDay(Math.floor(local / DAY))}`;
  const kind = row.specialist_id
    ? `specialists/${row.specialist_id}`
    : row.location_id && `locations/${row.location_id}`;
  return {
    // An occurrence of a repeat keeps its date when the block changes its time.
    uid: `${id}${day}-${zone.name}`,
    sequence: version,
    created: created_at,
    changed: changed_at ?? created_at,
    starts_at: formatInstant(zone, from).rfc3339,
    ends_at: formatInstant(zone, to).rfc3339,
    time_zone: zone.name,
    cancelled: false,
    summary: isOwn ? 'Blocked' : `Blocked – ${name}`,
    description: `Blocked: ${name}`,
    location: null,
    url: `${env().origin}/t/${tenantId}/catalog/${kind ?? 'blocks'}`,
  };
}
