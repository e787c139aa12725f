import { randomUUID } from 'node:crypto';
import { type HeldLock, holdLock } from './held-lock';
import type { Wish } from './storm';

/** Half an hour with one seat taken. The start in `wish` is in Berlin time. */
export type Rival = { tenantId: string; specialistId: string; wish: Wish; capacity?: number };

const CLAIM = `
  INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
  SELECT $1, tenant_id, specialist_id, service_id, location_id, at, at + interval '30 minutes',
    tstzrange(at, at + interval '30 minutes'), $5, 1
  FROM offerings CROSS JOIN (SELECT $4::timestamp AT TIME ZONE 'Europe/Berlin' AS at) AS wanted
  WHERE tenant_id = $2 AND specialist_id = $3`;

/** The first value is the claim's id. */
export function rivalClaim({ tenantId, specialistId, wish, capacity = 1 }: Rival): { sql: string; values: unknown[] } {
  return { sql: CLAIM, values: [randomUUID(), tenantId, specialistId, `${wish.date} ${wish.start_time}`, capacity] };
}

/** The transaction stays open, and transactions with an overlapping claim wait for it. */
export async function holdRivalClaim(databaseUrl: string, rival: Rival): Promise<HeldLock & { claimId: string }> {
  const { sql, values } = rivalClaim(rival);
  const held = await holdLock(databaseUrl, sql, values);
  return { ...held, claimId: String(values[0]) };
}
