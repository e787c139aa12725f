import { param, type Statement, statement } from '@/lib/platform/sql';
import type { ClaimedTime } from './claimed-minutes';
import type { Claim } from './query';

/** A claim with its length without buffers. */
export type StoredClaim = Claim & ClaimedTime;

/** Specialist, service, location, and the numbers of all claims with these three as comma-separated text. */
type Row = [string, string, string, string];

const NUMBERS_PER_CLAIM = 6;

/**
 * Reads claims with one index scan per specialist, on the index of the exclusion constraint. The numbers of all claims of
 * a row are one text: parsing them as columns would take longer than the rest of the response.
 */
export const READ_CLAIMS = statement<Row>('availability-claims')`
    SELECT c.specialist_id, c.service_id, c.location_id, string_agg(concat_ws(',',
      date_part('epoch', c.starts_at) / 60, date_part('epoch', lower(c.during)) / 60,
      date_part('epoch', upper(c.during)) / 60, c.capacity, c.taken,
      date_part('epoch', c.ends_at - c.starts_at) / 60), ',')
    FROM unnest(${param.texts('specialistIds')}) AS asked(id)
    JOIN slot_claims c ON c.specialist_id = asked.id COLLATE "C"
      AND c.during && tstzrange(to_timestamp(${param.bigint('from')} * 60),
        to_timestamp(${param.bigint('to')} * 60))
    GROUP BY c.specialist_id, c.service_id, c.location_id`;

/** Runs a statement and returns its rows as arrays: on the pool, or on the connection of a transaction. */
export type Reader = <Values extends object, Row>(
  statement: Statement<Values, Row>,
  values: NoInfer<Values>,
) => Promise<Row[]>;

/** Returns the claims of these specialists that overlap [from, to) in epoch minutes, with buffers (contract B6). */
export async function readClaims(
  read: Reader,
  specialistIds: readonly string[],
  range: { from: number; to: number },
): Promise<StoredClaim[]> {
  if (specialistIds.length === 0) return [];
  const rows = await read(READ_CLAIMS, { specialistIds, from: range.from, to: range.to });
  const claims: StoredClaim[] = [];
  for (const [specialistId, serviceId, locationId, text] of rows) {
    const numbers = JSON.parse(`[${text}]`) as number[];
    for (let at = 0; at < numbers.length; at += NUMBERS_PER_CLAIM) {
      const [startsAt = 0, from = 0, to = 0, capacity = 0, taken = 0, durationMinutes = 0] = numbers.slice(
        at,
        at + NUMBERS_PER_CLAIM,
      );
      claims.push({ specialistId, serviceId, locationId, startsAt, from, to, capacity, taken, durationMinutes });
    }
  }
  return claims;
}
