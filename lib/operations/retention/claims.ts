import { sharedTenantLock } from '@/lib/platform/locks';
import { param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';

/**
 * Days after its end, buffers included, for which a claim is kept. Only claims that overlap bookable days, or the local
 * day of such a slot, are read. A week is well above the offset of any time zone.
 */
export const CLAIM_DAYS = 7;

// SKIP LOCKED: a booking that is being written is left to the next run, and two processes share the work. Bookings are
// locked before their claims, as every other write does.
const DUE = statement<{ reference: string }>('retention-claims-due')`
  SELECT b.reference FROM slot_claims c JOIN bookings b ON b.claim_id = c.id
  WHERE c.tenant_id = ${param.text('tenantId')} AND c.during << tstzrange(${param.timestamptz('before')}, NULL)
  LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE OF b SKIP LOCKED`;

// A statement of its own: the next one then reads the current number of seats. In order, so that two runs that share the
// guests of a group cannot deadlock.
const LOCK_CLAIMS = statement<never>('retention-claims-lock')`
  SELECT FROM slot_claims WHERE id IN (SELECT claim_id FROM bookings WHERE reference = ANY(${param.texts('references')}))
  ORDER BY id FOR UPDATE`;

const REMOVE_SEATS = statement<never>('retention-claims-remove')`
  WITH seats AS (
    SELECT claim_id, count(*)::int AS number FROM bookings WHERE reference = ANY(${param.texts('references')})
    GROUP BY claim_id),
  booking AS (
    UPDATE bookings SET claim_id = NULL, claim_removed_at = ${param.timestamptz('now')}
    WHERE reference = ANY(${param.texts('references')})),
  rest AS (
    UPDATE slot_claims c SET taken = c.taken - seats.number FROM seats
    WHERE c.id = seats.claim_id AND c.taken > seats.number)
  DELETE FROM slot_claims c USING seats WHERE c.id = seats.claim_id AND c.taken = seats.number`;

/**
 * Removes up to `limit` seats of claims that ended before `before`, and the claims without a seat, and returns the number
 * of seats. The bookings' versions do not change (contract B7).
 */
export async function removeSeats(now: Date, tenantId: string, before: Date, limit: number): Promise<number> {
  return writeTransaction(beginBudget(), sharedTenantLock(tenantId), async (tx) => {
    const due = await tx.query(DUE, { tenantId, before, limit });
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await tx.query(LOCK_CLAIMS, { references });
    await tx.query(REMOVE_SEATS, { references, now });
    return references.length;
  });
}
