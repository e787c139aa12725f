import { param, sql, statement } from '@/lib/platform/sql';
import type { Busy, Reader } from './claims';
import type { Interval } from './intervals';
import { parseMinutes } from './minutes-text';
import type { PreparedService } from './prepare';
import type { Claim } from './query';

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
type Row = [number, string, string | null, OpenClaim[] | null, string | null];

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
export const READ_BUSY = statement<Row>('availability-busy')`
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
export async function readBusy(read: Reader, requests: readonly BusyRequest[]): Promise<Busy<Claim>[]> {
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
  if (text === null) return intervals;
  const numbers = parseMinutes(text);
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
