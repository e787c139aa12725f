import { param, type Statement, statement } from '@/lib/platform/sql';
import type { ClaimedTime } from './claimed-minutes';
import type { Claim } from './query';

export type StoredClaim = Claim & ClaimedTime;

/**
 * A request for all claims of the given specialists that overlap the range [from, to) in epoch minutes. Claims include
 * their buffers. `own` is the id of the claim of the booking that is being rescheduled.
 */
export type ClaimsRequest = { specialistIds: readonly string[]; from: number; to: number; own?: string | null };

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
 */
type Row = [number, string, string, string, number, number, number, number, number, string, boolean];

/**
 * Searches the index of the exclusion constraint once per specialist and request. OFFSET 0 prevents a merge of the
 * subquery: the planner expects no claims later than the latest at the last ANALYZE, and would search later dates only
 * by `during`, through the claims of all specialists. An `overlapping` claim counts as full, so that nothing more is
 * sold on its time. There is almost never one, which PostgreSQL finds out once per query.
 */
export const READ_CLAIMS = statement<Row>('availability-claims')`
    SELECT asked.request, c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      date_part('epoch', c.ends_at - c.starts_at) / 60, date_part('epoch', c.starts_at - lower(c.during)) / 60,
      date_part('epoch', upper(c.during) - c.ends_at) / 60,
      string_agg(((date_part('epoch', c.starts_at) / 60)::bigint - asked.from_minute)::text, ','),
      c.id IS NOT DISTINCT FROM asked.own
    FROM unnest(${param.ints('requests')}, ${param.texts('specialistIds')}, ${param.bigints('fromMinutes')},
        ${param.bigints('toMinutes')}, ${param.optionalUuids('own')}) AS asked(request, specialist_id, from_minute, to_minute, own)
    CROSS JOIN LATERAL (
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken FROM slot_claims
      WHERE slot_claims.specialist_id = asked.specialist_id COLLATE "C"
        AND during && tstzrange(to_timestamp(asked.from_minute * 60), to_timestamp(asked.to_minute * 60))
      UNION ALL
      SELECT id, specialist_id, service_id, location_id, starts_at, ends_at, overlapping, taken, taken FROM slot_claims
      WHERE (SELECT EXISTS (SELECT FROM slot_claims WHERE overlapping IS NOT NULL)) AND slot_claims.specialist_id = asked.specialist_id COLLATE "C"
        AND overlapping && tstzrange(to_timestamp(asked.from_minute * 60), to_timestamp(asked.to_minute * 60))
      OFFSET 0) AS c
    GROUP BY asked.request, c.specialist_id, c.service_id, c.location_id, c.capacity, c.taken,
      c.ends_at - c.starts_at, c.starts_at - lower(c.during), upper(c.during) - c.ends_at,
      c.id IS NOT DISTINCT FROM asked.own`;

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

/** Returns the claims, buffers included, that overlap the range [from, to) in epoch minutes (contract B6). */
export async function readClaims(
  read: Reader,
  specialistIds: readonly string[],
  range: Omit<ClaimsRequest, 'specialistIds'>,
): Promise<StoredClaim[]> {
  const [groups = []] = await readClaimGroups(read, [{ specialistIds, ...range }]);
  const claims: StoredClaim[] = [];
  for (const { starts, bufferBefore, bufferAfter, ...shared } of groups) {
    for (const startsAt of starts) {
      const from = startsAt - bufferBefore;
      const to = startsAt + shared.durationMinutes + bufferAfter;
      claims.push({ ...shared, startsAt, from, to });
    }
  }
  return claims;
}

/** Returns the claims of each request, in the order of the requests, with one query. */
export async function readClaimGroups(read: Reader, requests: readonly ClaimsRequest[]): Promise<ClaimGroup[][]> {
  const groups = requests.map((): ClaimGroup[] => []);
  if (requests.every(({ specialistIds }) => specialistIds.length === 0)) return groups;
  for (const row of await read(READ_CLAIMS, claimsValues(requests))) {
    const [request] = row;
    groups[request]?.push(groupOf(row, requests[request]?.from ?? 0));
  }
  return groups;
}

/** Returns the values for `READ_CLAIMS`: arrays with one element per specialist of each request. */
export function claimsValues(requests: readonly ClaimsRequest[]) {
  const values = {
    requests: [] as number[],
    specialistIds: [] as string[],
    fromMinutes: [] as number[],
    toMinutes: [] as number[],
    own: [] as (string | null)[],
  };
  for (const [request, { specialistIds, from, to, own = null }] of requests.entries()) {
    for (const id of specialistIds) {
      values.requests.push(request);
      values.specialistIds.push(id);
      values.fromMinutes.push(from);
      values.toMinutes.push(to);
      values.own.push(own);
    }
  }
  return values;
}

function groupOf(row: Row, base: number): ClaimGroup {
  const [, specialistId, serviceId, locationId, capacity, taken, durationMinutes, bufferBefore, bufferAfter] = row;
  const [text, isOwn] = [row[9], row[10]];
  const starts = parseMinutes(text, base).sort();
  return {
    specialistId,
    serviceId,
    locationId,
    capacity,
    taken,
    durationMinutes,
    bufferBefore,
    bufferAfter,
    starts,
    isOwn,
  };
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
