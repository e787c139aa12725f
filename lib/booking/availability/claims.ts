import { param, type Statement, sql, statement } from '@/lib/platform/sql';
import type { ClaimedTime } from './claimed-minutes';
import type { BlockedTime, Claim } from './query';

export type StoredClaim = Claim & ClaimedTime;

/**
/**
 * A request for all claims of the given specialists that overlap the range [from, to) in epoch minutes, and for all
 * blocks of the specialists, the location, and the tenant on its local days. Claims include their buffers. `own` is the
 * id of the claim of the booking that is being rescheduled.
 */
export type ClaimsRequest = {
  specialistIds: readonly string[];
  location: { id: string; tenantId: string };
  from: number;
  to: number;
  own?: string | null;
};

/**
 * A row of the result of `READ_CLAIMS`. It stands for all claims that differ only in their start and belong to the same
 * `ClaimsRequest`. A claim of which a seat counts as free has a row of its own. The row contains:
 *
 * - the index of the request
 * - the ids of the specialist, the service, and the location
 * - the capacity and the number of taken seats
 * - the minutes of the service, of the buffer before it, and of the buffer after it
 * - the starts of the claims in minutes after `from`, separated by commas
 * - whether the row is the claim `own` of the request
 *
 * Without a service and a location, the row stands for blocks of equal length. It then contains the id of their
 * subject instead of the specialist's, their length instead of the service's, and local starts (see `BlockedTime`).
 */
type Row = [number, string, string | null, string | null, number, number, number, number, number, string, boolean];

const ASKED = sql`unnest(${param.ints('requests')}, ${param.texts('subjectIds')}, ${param.bigints('fromMinutes')},
        ${param.bigints('toMinutes')}, ${param.optionalUuids('own')}) AS asked(request, subject_id, from_minute, to_minute, own)`;

/**
 * Reads the claims and blocks of several requests. For each specialist of a request, searches the index of the exclusion
 * constraint and the primary key of `block_days` once. The ids of the location and the tenant find only blocks. The
 * local days of the range differ from its UTC days by at most one.
 *
 * OFFSET 0 prevents the planner from merging the subquery into the outer query. The planner expects no claims that are
 * later than the latest one at the last ANALYZE. For later dates, a merged query would therefore search the index only
 * by `during`, and read the claims of all specialists.
 *
 * A claim that overlaps another one (`overlapping`) counts as full, so that nothing more is sold on its time. Almost
 * always, no such claim exists. PostgreSQL finds that out once per query, and then skips the second search.
 *
 * The starts are aggregated into one string, because parsing one row per claim takes too long.
 */
export const READ_CLAIMS = statement<Row>('availability-claims')`
    SELECT asked.request, c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      date_part('epoch', c.ends_at - c.starts_at) / 60, date_part('epoch', c.starts_at - lower(c.during)) / 60,
      date_part('epoch', upper(c.during) - c.ends_at) / 60,
      string_agg(((date_part('epoch', c.starts_at) / 60)::bigint - asked.from_minute)::text, ','),
      c.id IS NOT DISTINCT FROM asked.own
    FROM ${ASKED}
    CROSS JOIN LATERAL (
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken FROM slot_claims
      WHERE slot_claims.specialist_id = asked.subject_id COLLATE "C"
        AND during && tstzrange(to_timestamp(asked.from_minute * 60), to_timestamp(asked.to_minute * 60))
      UNION ALL
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, overlapping, taken, taken FROM slot_claims
      WHERE (SELECT EXISTS (SELECT FROM slot_claims WHERE overlapping IS NOT NULL)) AND slot_claims.specialist_id = asked.subject_id COLLATE "C"
        AND overlapping && tstzrange(to_timestamp(asked.from_minute * 60), to_timestamp(asked.to_minute * 60))
      OFFSET 0) AS c
    GROUP BY asked.request, c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      c.ends_at - c.starts_at, c.starts_at - lower(c.during), upper(c.during) - c.ends_at,
      c.id IS NOT DISTINCT FROM asked.own
    UNION ALL
    SELECT asked.request, b.subject_id, NULL, NULL, 0, 0, b.to_minute - b.from_minute, 0, 0,
      string_agg(((b.day - date '1970-01-01') * 1440 + b.from_minute - asked.from_minute)::text, ','), false
    FROM ${ASKED}
    CROSS JOIN LATERAL (
      SELECT subject_id, day, from_minute, to_minute FROM block_days
      WHERE block_days.subject_id = asked.subject_id COLLATE "C"
        AND day BETWEEN date '1970-01-01' + (asked.from_minute / 1440)::int - 1
          AND date '1970-01-01' + (asked.to_minute / 1440)::int + 1
      OFFSET 0) AS b
    GROUP BY asked.request, b.subject_id, b.to_minute - b.from_minute`;

export type Reader = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
) => Promise<Row[]>;

/** `starts` is in epoch minutes, ascending. The duration and the buffers are in minutes. */
export type ClaimGroup = {
  specialistId: string;
  serviceId: string;
  locationId: string;
  capacity: number;
  taken: number;
  durationMinutes: number;
  bufferBefore: number;
  bufferAfter: number;
  starts: Int32Array;
  isOwn: boolean;
};

/** The claims and blocks that a request asks for. */
export type Busy<C> = { readonly claims: readonly C[]; readonly blocks: readonly BlockedTime[] };

/** Returns the claims and blocks that a request asks for (contract B6). */
export async function readClaims(read: Reader, request: ClaimsRequest): Promise<Busy<StoredClaim>> {
  const [{ claims: groups, blocks } = NOTHING] = await readClaimGroups(read, [request]);
  const claims: StoredClaim[] = [];
  for (const { starts, bufferBefore, bufferAfter, ...shared } of groups) {
    for (const startsAt of starts) {
      const from = startsAt - bufferBefore;
      const to = startsAt + shared.durationMinutes + bufferAfter;
      claims.push({ ...shared, startsAt, from, to });
    }
  }
  return { claims, blocks };
}

const NOTHING: Busy<ClaimGroup> = { claims: [], blocks: [] };

/** Returns the claims and blocks of each request, in the order of the requests, with one query. */
export async function readClaimGroups(read: Reader, requests: readonly ClaimsRequest[]): Promise<Busy<ClaimGroup>[]> {
  const found = requests.map(() => ({ claims: [] as ClaimGroup[], blocks: [] as BlockedTime[] }));
  if (requests.every(({ specialistIds }) => specialistIds.length === 0)) return found;
  for (const row of await read(READ_CLAIMS, claimsValues(requests))) {
    const [request, subjectId, serviceId, locationId, , , minutes, , , text] = row;
    const base = requests[request]?.from ?? 0;
    const starts = parseMinutes(text, base);
    const busy = found[request];
    if (serviceId !== null && locationId !== null)
      busy?.claims.push(groupOf(row, serviceId, locationId, starts.sort()));
    else for (const from of starts) busy?.blocks.push({ subjectId, from, to: from + minutes });
  }
  return found;
}

/** Returns the values for `READ_CLAIMS`: arrays with one element per specialist, location, and tenant of each request. */
export function claimsValues(requests: readonly ClaimsRequest[]) {
  const values = {
    requests: [] as number[],
    subjectIds: [] as string[],
    fromMinutes: [] as number[],
    toMinutes: [] as number[],
    own: [] as (string | null)[],
  };
  for (const [request, { specialistIds, location, from, to, own = null }] of requests.entries()) {
    if (specialistIds.length === 0) continue;
    for (const id of [...specialistIds, location.id, location.tenantId]) {
      values.requests.push(request);
      values.subjectIds.push(id);
      values.fromMinutes.push(from);
      values.toMinutes.push(to);
      values.own.push(own);
    }
  }
  return values;
}

function groupOf(row: Row, serviceId: string, locationId: string, starts: Int32Array): ClaimGroup {
  const [, specialistId, , , capacity, taken, durationMinutes, bufferBefore, bufferAfter] = row;
  const lengths = { durationMinutes, bufferBefore, bufferAfter };
  return { specialistId, serviceId, locationId, capacity, taken, ...lengths, starts, isOwn: row[10] };
}

const COMMA = 44;
const MINUS = 45;
const ZERO = 48;

/** Several times faster than `JSON.parse`. */
function parseMinutes(text: string, base: number): Int32Array {
  // Each number except the last takes at least two characters, a digit and a comma.
  const minutes = new Int32Array((text.length + 1) >> 1);
  let count = 0;
  let value = 0;
  let sign = 1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : COMMA;
    if (code === COMMA) {
      minutes[count] = base + sign * value;
      count += 1;
      value = 0;
      sign = 1;
    } else if (code === MINUS) sign = -1;
    else value = value * 10 + code - ZERO;
  }
  return minutes.subarray(0, count);
}
