import { param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';

/**
 * Days after the end of a claim's range, buffers included. The slot engine reads only claims of local days that have
 * not ended. Because of time zones and buffers, such a claim can have ended a few days ago, but not a week ago.
 */
export const CLAIM_DAYS = 7;

// SKIP LOCKED lets two processes share the work. The bookings are locked before their claims, as in every other write,
// which prevents deadlocks.
const DUE = statement<{ reference: string }>('retention-claims-due')`
  SELECT b.reference FROM slot_claims c JOIN bookings b ON b.claim_id = c.id
  WHERE c.tenant_id = ${param.text('tenantId')}
    AND (c.during << tstzrange(${param.timestamptz('before')}, NULL)
      OR c.overlapping << tstzrange(${param.timestamptz('before')}, NULL))
  LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE OF b SKIP LOCKED`;

// No other transaction may change `taken` while REMOVE_SEATS runs. In the order of ids, so two runs cannot deadlock.
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

/** Removes up to `limit` seats of claims that ended before `before`. Bookings keep their versions (contract B7). */
export async function removeSeats(now: Date, tenantId: string, before: Date, limit: number): Promise<number> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const due = await tx.query(DUE, { tenantId, before, limit });
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await tx.query(LOCK_CLAIMS, { references });
    await tx.query(REMOVE_SEATS, { references, now });
    return references.length;
  });
}
