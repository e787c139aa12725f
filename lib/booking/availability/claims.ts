import { nullable, param, type Statement, sql, statement } from '@/lib/platform/sql';
import type { BlockedTime, Claim, Interval, PreparedService } from './input';

/** `durationMinutes` is without buffers. */
export type StoredClaim = Claim & { readonly durationMinutes: number };

/**
 * A request for all claims of the given specialists that overlap the range [from, to) in epoch minutes, and for all
 * blocks of the specialists, the location, and the tenant on its local days. Claims include their buffers. `own` is the
 * id of the claim of the booking that is being rescheduled.
 */
type ClaimsRequest = {
  specialistIds: readonly string[];
  location: { id: string; tenantId: string };
  from: number;
  to: number;
  own?: string | null;
};

/**
 * A row of the result of `READ_CLAIMS`. It stands for all claims that differ only in their start. The row contains:
 *
 * - the ids of the specialist, the service, and the location
 * - the capacity and the number of taken seats
 * - the minutes of the service, of the buffer before it, and of the buffer after it
 * - the starts of the claims in minutes after `from`, separated by commas
 * - whether the row is the claim `own` of the request
 *
 * Without a service and a location, the row stands for blocks of equal length. It then contains the id of their
 * subject instead of the specialist's, their length instead of the service's, and local starts (see `BlockedTime`).
 */
type ClaimRow = [string, string | null, string | null, number, number, number, number, number, string, boolean];

/**
 * Reads each claim and block of a request, for a write, which ranks specialists by their claims. Availability reads only the
 * busy time (`READ_BUSY`, which also explains the searches and OFFSET 0).
 *
 * The starts are aggregated into one string, because parsing one row per claim takes too long.
 */
export const READ_CLAIMS = statement<ClaimRow>('availability-claims')`
    SELECT c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      date_part('epoch', c.ends_at - c.starts_at) / 60, date_part('epoch', c.starts_at - lower(c.during)) / 60,
      date_part('epoch', upper(c.during) - c.ends_at) / 60,
      string_agg(((date_part('epoch', c.starts_at) / 60)::bigint - ${param.bigint('from')})::text, ','),
      c.id IS NOT DISTINCT FROM ${nullable(param.uuid('own'))}
    FROM unnest(${param.texts('subjectIds')}) AS asked(subject_id)
    CROSS JOIN LATERAL (
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken FROM slot_claims
      WHERE slot_claims.specialist_id = asked.subject_id COLLATE "C"
        AND during && tstzrange(to_timestamp(${param.bigint('from')} * 60), to_timestamp(${param.bigint('to')} * 60))
      UNION ALL
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, overlapping, taken, taken FROM slot_claims
      WHERE slot_claims.specialist_id = asked.subject_id COLLATE "C"
        AND overlapping && tstzrange(to_timestamp(${param.bigint('from')} * 60), to_timestamp(${param.bigint('to')} * 60))
      OFFSET 0) AS c
    GROUP BY c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      c.ends_at - c.starts_at, c.starts_at - lower(c.during), upper(c.during) - c.ends_at, 10
    UNION ALL
    SELECT b.subject_id, NULL, NULL, 0, 0, b.to_minute - b.from_minute, 0, 0,
      string_agg(((b.day - date '1970-01-01') * 1440 + b.from_minute - ${param.bigint('from')})::text, ','), false
    FROM unnest(${param.texts('subjectIds')}) AS asked(subject_id)
    CROSS JOIN LATERAL (
      SELECT subject_id, day, from_minute, to_minute FROM block_days
      WHERE block_days.subject_id = asked.subject_id COLLATE "C"
        AND day BETWEEN date '1970-01-01' + (${param.bigint('from')} / 1440)::int - 1
          AND date '1970-01-01' + (${param.bigint('to')} / 1440)::int + 1
      OFFSET 0) AS b
    GROUP BY b.subject_id, b.to_minute - b.from_minute`;

/** Runs a statement and returns its rows as arrays. */
export type RowReader = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
) => Promise<Row[]>;

/** The claims and blocks that a request asks for. */
export type Busy<C> = { readonly claims: readonly C[]; readonly blocks: readonly BlockedTime[] };

/** Returns the claims and blocks that a request asks for (contract B6). */
export async function readClaims(read: RowReader, request: ClaimsRequest): Promise<Busy<StoredClaim>> {
  const claims: StoredClaim[] = [];
  const blocks: BlockedTime[] = [];
  if (request.specialistIds.length === 0) return { claims, blocks };
  for (const row of await read(READ_CLAIMS, claimsValues(request))) {
    const [subjectId, serviceId, locationId, capacity, taken, durationMinutes, before, after, text, isOwn] = row;
    for (const minutes of text.split(',')) {
      const startsAt = request.from + Number(minutes);
      const end = startsAt + durationMinutes;
      if (serviceId === null || locationId === null) blocks.push({ subjectId, from: startsAt, to: end });
      else {
        const times = { durationMinutes, startsAt, from: startsAt - before, to: end + after };
        claims.push({ specialistId: subjectId, serviceId, locationId, capacity, taken, isOwn, ...times });
      }
    }
  }
  return { claims, blocks };
}

/** Returns the values for `READ_CLAIMS`. */
export function claimsValues({ specialistIds, location, from, to, own = null }: ClaimsRequest) {
  return { subjectIds: [...specialistIds, location.id, location.tenantId], from, to, own };
}

/**
 * A request for the time at which the given specialists are busy in `ranges` (epoch minutes, sorted and disjoint), and for
 * all blocks of the specialists, the location, and the tenant on its local days.
 */
export type BusyRequest = {
  specialistIds: readonly string[];
  location: { id: string; tenantId: string };
  ranges: readonly Interval[];
  /** Minutes of an appointment with its buffers. Between two claims without a free seat, a shorter gap counts as busy. */
  room: number;
  /** The id of the claim of the booking that is being rescheduled. */
  own?: string | null;
};

/** Returns the `room` that an appointment of a service takes. */
export function roomOf({ bufferBeforeMinutes, durationMinutes, bufferAfterMinutes }: PreparedService): number {
  return bufferBeforeMinutes + durationMinutes + bufferAfterMinutes;
}

/** Service, location, capacity, taken seats, then start and range in epoch minutes, and whether it is the claim `own`. */
type OpenClaim = [string, string, number, number, number, number, number, boolean];

/**
 * A row of the result of `READ_BUSY`: the index of the request, and the id of a specialist, the location, or the tenant. The
 * first text has the time without a free seat, the second one the blocks in local time (see `BlockedTime`). Both have pairs of
 * a start, in minutes after the first range, and a length. Null stands for none.
 */
type BusyRow = [number, string, string | null, OpenClaim[] | null, string | null];

const RANGES = sql`(${param.tstzmultiranges('ranges')})[asked.request + 1]`;

/**
 * Reads when specialists are busy, for several requests. For each specialist, searches the index of the exclusion constraint
 * and the primary key of `block_days` once. The ids of the location and the tenant find only blocks. The local days of a
 * request differ from its UTC days by at most one.
 *
 * PostgreSQL merges the claims without a free seat, because sending and parsing thousands of claims takes longer than finding
 * them. Each one is first extended by the longest gap in which nothing fits. A claim of which a seat can be free stays alone.
 *
 * OFFSET 0 prevents the planner from merging the subquery into the outer query. The planner expects no claims that are
 * later than the latest one at the last ANALYZE. For later dates, a merged query would therefore search the index only
 * by `during`, and read the claims of all specialists.
 *
 * A claim that overlaps another one (`overlapping`) counts as full, so that nothing more is sold on its time. Almost
 * always, no such claim exists, and the index of the second search is empty.
 */
export const READ_BUSY = statement<BusyRow>('availability-busy')`
    SELECT asked.request, asked.subject_id,
      (SELECT string_agg(((date_part('epoch', lower(part)) / 60)::bigint - asked.from_minute) || ','
          || (date_part('epoch', upper(part) - lower(part)) / 60 - asked.gap), ',')
        FROM unnest(busy.merged) AS part),
      busy.open,
      (SELECT string_agg(((day - date '1970-01-01') * 1440 + from_minute - asked.from_minute) || ',' || (to_minute - from_minute), ',')
        FROM block_days
        WHERE block_days.subject_id = asked.subject_id COLLATE "C"
          AND day BETWEEN date '1970-01-01' + (asked.from_minute / 1440)::int - 1
            AND date '1970-01-01' + (asked.to_minute / 1440)::int + 1)
    FROM unnest(${param.ints('requests')}, ${param.texts('subjectIds')}, ${param.bigints('fromMinutes')},
      ${param.bigints('toMinutes')}, ${param.ints('gaps')}, ${param.optionalUuids('own')})
      AS asked(request, subject_id, from_minute, to_minute, gap, own)
    CROSS JOIN LATERAL (
      SELECT range_agg(tstzrange(lower(during), upper(during) + asked.gap * interval '1 minute')) FILTER (WHERE is_full) AS merged,
        json_agg(json_build_array(service_id, location_id, capacity, taken, date_part('epoch', starts_at) / 60,
          date_part('epoch', lower(during)) / 60, date_part('epoch', upper(during)) / 60, is_own)) FILTER (WHERE NOT is_full) AS open
      FROM (
        SELECT service_id, location_id, starts_at, during, capacity, taken, id IS NOT DISTINCT FROM asked.own AS is_own,
          taken >= capacity AND id IS DISTINCT FROM asked.own AS is_full FROM slot_claims
        WHERE slot_claims.specialist_id = asked.subject_id COLLATE "C" AND during && ${RANGES}
        UNION ALL
        SELECT service_id, location_id, starts_at, overlapping, taken, taken, id IS NOT DISTINCT FROM asked.own,
          id IS DISTINCT FROM asked.own FROM slot_claims
        WHERE slot_claims.specialist_id = asked.subject_id COLLATE "C" AND overlapping && ${RANGES}
        OFFSET 0) AS claims) AS busy`;

/** Returns the busy time that each request asks for, in the order of the requests, with one query (contract B6). */
export async function readBusy(read: RowReader, requests: readonly BusyRequest[]): Promise<Busy<Claim>[]> {
  const found = requests.map(() => ({ claims: [] as Claim[], blocks: [] as Busy<Claim>['blocks'][number][] }));
  const values = busyValues(requests);
  if (values.requests.length === 0) return found;
  for (const [request, subjectId, merged, open, blocked] of await read(READ_BUSY, values)) {
    const { claims, blocks } = found[request] ?? {};
    const base = requests[request]?.ranges[0]?.from ?? 0;
    for (const { from, to } of intervalsIn(merged, base)) claims?.push(fullClaim(subjectId, from, to));
    for (const one of open ?? []) claims?.push(openClaim(subjectId, one));
    for (const interval of intervalsIn(blocked, base)) blocks?.push({ subjectId, ...interval });
  }
  return found;
}

/** Returns the values for `READ_BUSY`: arrays with one element per specialist, location, and tenant of each request. */
export function busyValues(requests: readonly BusyRequest[]) {
  const values = {
    requests: [] as number[],
    subjectIds: [] as string[],
    fromMinutes: [] as number[],
    toMinutes: [] as number[],
    gaps: [] as number[],
    own: [] as (string | null)[],
    ranges: requests.map(({ ranges }) => multirangeOf(ranges)),
  };
  for (const [request, { specialistIds, location, ranges, room, own = null }] of requests.entries()) {
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (specialistIds.length === 0 || !first || !last) continue;
    for (const id of [...specialistIds, location.id, location.tenantId]) {
      values.requests.push(request);
      values.subjectIds.push(id);
      values.fromMinutes.push(first.from);
      values.toMinutes.push(last.to);
      values.gaps.push(room - 1);
      values.own.push(own);
    }
  }
  return values;
}

function multirangeOf(ranges: readonly Interval[]): string {
  const instant = (minute: number) => new Date(minute * 60_000).toISOString();
  return `{${ranges.map(({ from, to }) => `[${instant(from)},${instant(to)})`).join(',')}}`;
}

function intervalsIn(text: string | null, base: number): Interval[] {
  const intervals: Interval[] = [];
  const numbers = text === null ? [] : text.split(',').map(Number);
  for (let at = 0; at < numbers.length; at += 2) {
    const from = base + (numbers[at] ?? 0);
    intervals.push({ from, to: from + (numbers[at + 1] ?? 0) });
  }
  return intervals;
}

/** Without a free seat, only the range counts. A merged one has several services and locations. */
function fullClaim(specialistId: string, from: number, to: number): Claim {
  return { specialistId, serviceId: '', locationId: '', startsAt: from, from, to, capacity: 1, taken: 1, isOwn: false };
}

function openClaim(specialistId: string, claim: OpenClaim): Claim {
  const [serviceId, locationId, capacity, taken, startsAt, from, to, isOwn] = claim;
  return { specialistId, serviceId, locationId, startsAt, from, to, capacity, taken, isOwn };
}
