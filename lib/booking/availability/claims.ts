import type { Statement } from '@/lib/platform/write-transaction';
import type { ClaimedTime } from './claimed-minutes';
import type { Claim } from './query';

/** A claim as the engine reads it, with its length without buffers. */
export type StoredClaim = Claim & ClaimedTime;

/** Specialist, service, location, and six numbers for each of their claims, as one text. */
type Row = [string, string, string, string];

const NUMBERS_PER_CLAIM = 6;

/**
 * Reads claims: one index scan for each specialist, on the exclusion constraint's own index. The numbers of many
 * claims come as one text: reading them one by one would cost the process more than all the rest of an answer.
 */
export const READ_CLAIMS = {
  name: 'availability-claims',
  rowMode: 'array' as const,
  text: `
    SELECT c.specialist_id, c.service_id, c.location_id, string_agg(concat_ws(',',
      date_part('epoch', c.starts_at) / 60, date_part('epoch', lower(c.during)) / 60,
      date_part('epoch', upper(c.during)) / 60, c.capacity, c.taken,
      date_part('epoch', c.ends_at - c.starts_at) / 60), ',')
    FROM unnest($1::text[]) AS asked(id)
    JOIN slot_claims c ON c.specialist_id = asked.id COLLATE "C"
      AND c.during && tstzrange(to_timestamp($2::bigint * 60), to_timestamp($3::bigint * 60))
    GROUP BY c.specialist_id, c.service_id, c.location_id`,
};

/** What runs a query: the pool, or the connection of a transaction. */
export type Reader = (statement: Statement & { rowMode: 'array' }, values: unknown[]) => Promise<unknown[][]>;

/**
 * Returns every claim of these specialists that overlaps [from, to), in epoch minutes, buffers included: the one
 * query that feeds the slot engine (contract B6).
 */
export async function readClaims(
  read: Reader,
  specialistIds: readonly string[],
  range: { from: number; to: number },
): Promise<StoredClaim[]> {
  if (specialistIds.length === 0) return [];
  const rows = (await read(READ_CLAIMS, [specialistIds, range.from, range.to])) as Row[];
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
