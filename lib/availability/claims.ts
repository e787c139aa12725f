import type { Statement } from '../write-transaction';
import type { ClaimedTime } from './claimed-minutes';
import type { Claim } from './query';

/** A claim as the engine reads it, with its length without buffers. */
export type StoredClaim = Claim & ClaimedTime;

type Row = [string, string, string, number, number, number, number, number, number];

/** Reads claims: one index scan for each specialist, on the exclusion constraint's own index. */
export const READ_CLAIMS = {
  name: 'availability-claims',
  rowMode: 'array' as const,
  text: `
    SELECT c.specialist_id, c.service_id, c.location_id,
      (extract(epoch FROM c.starts_at) / 60)::int, (extract(epoch FROM lower(c.during)) / 60)::int,
      (extract(epoch FROM upper(c.during)) / 60)::int, c.capacity, c.taken,
      (extract(epoch FROM c.ends_at - c.starts_at) / 60)::int
    FROM unnest($1::text[]) AS asked(id)
    JOIN slot_claims c ON c.specialist_id = asked.id COLLATE "C"
      AND c.during && tstzrange(to_timestamp($2::bigint * 60), to_timestamp($3::bigint * 60))`,
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
  return rows.map(([specialistId, serviceId, locationId, startsAt, from, to, capacity, taken, durationMinutes]) => ({
    specialistId,
    serviceId,
    locationId,
    startsAt,
    from,
    to,
    capacity,
    taken,
    durationMinutes,
  }));
}
