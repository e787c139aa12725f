import { recordInWrite } from '@/lib/activity/audit/record';
import { anonymizeResponses } from '@/lib/booking/idempotency/anonymize';
import { param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';

// With SKIP LOCKED, a run skips bookings that another transaction has locked. The next run processes these bookings.
// Two processes can therefore share the work.
const DUE = statement<{ reference: string }>('retention-contacts-due')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND ends_at < ${param.timestamptz('before')}
    AND customer_name IS NOT NULL
  ORDER BY ends_at LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE SKIP LOCKED`;

const WITHDRAWN = statement<{ reference: string }>('retention-contacts-withdrawn')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND ends_at < ${param.timestamptz('before')}
    AND consent_withdrawn_at IS NOT NULL AND customer_name IS NOT NULL
  ORDER BY ends_at LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE SKIP LOCKED`;

const ANONYMIZE = statement<never>('retention-contacts-anonymize')`
  UPDATE bookings SET customer_name = NULL, customer_phone = NULL, note = NULL, phone_hash = NULL
  WHERE reference = ANY(${param.texts('references')})`;

/**
 * Anonymizes the contacts of up to `limit` bookings that ended before `before`, and returns the number of these
 * bookings. `which` selects all bookings, or only those whose customer withdrew consent. The same transaction also removes the contacts from the responses that are stored for replays
 * (contract B8). The versions of the bookings do not change (contract B7).
 */
export async function anonymizeContacts(
  now: Date,
  tenantId: string,
  { before, which }: { before: Date; which: 'all' | 'withdrawn' },
  limit: number,
): Promise<number> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const due = await tx.query(which === 'all' ? DUE : WITHDRAWN, { tenantId, before, limit });
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await tx.query(ANONYMIZE, { references });
    await anonymizeResponses(tx, references);
    await recordInWrite(tx, now, {
      tenantId,
      actor: { kind: 'system' },
      action: 'contacts.anonymised',
      object: { kind: 'tenant', id: tenantId },
      after: { bookings: references.length, visits_before: before.toISOString() },
    });
    return references.length;
  });
}
