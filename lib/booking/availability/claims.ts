import { nullable, param, type Statement, statement } from '@/lib/platform/sql';
import type { ClaimedTime } from './claimed-minutes';
import { parseMinutes } from './minutes-text';
import type { BlockedTime, Claim } from './query';

export type StoredClaim = Claim & ClaimedTime;

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
type Row = [string, string | null, string | null, number, number, number, number, number, string, boolean];

/**
 * Reads each claim and block of a request, for a write, which ranks specialists by their claims. Availability reads only the
 * busy time (`READ_BUSY`, which also explains the searches and OFFSET 0).
 *
 * The starts are aggregated into one string, because parsing one row per claim takes too long.
 */
export const READ_CLAIMS = statement<Row>('availability-claims')`
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

export type Reader = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
) => Promise<Row[]>;

/** The claims and blocks that a request asks for. */
export type Busy<C> = { readonly claims: readonly C[]; readonly blocks: readonly BlockedTime[] };

/** Returns the claims and blocks that a request asks for (contract B6). */
export async function readClaims(read: Reader, request: ClaimsRequest): Promise<Busy<StoredClaim>> {
  const claims: StoredClaim[] = [];
  const blocks: BlockedTime[] = [];
  if (request.specialistIds.length === 0) return { claims, blocks };
  for (const row of await read(READ_CLAIMS, claimsValues(request))) {
    const [subjectId, serviceId, locationId, capacity, taken, durationMinutes, before, after, text, isOwn] = row;
    for (const minutes of parseMinutes(text)) {
      const startsAt = request.from + minutes;
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
