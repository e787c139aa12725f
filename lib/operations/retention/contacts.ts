import { recordInWrite } from '@/lib/activity/audit/record';
import { responsePlace } from '@/lib/booking/idempotency/store';
import { open, seal } from '@/lib/platform/crypto';
import { tenantLock } from '@/lib/platform/locks';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';

// SKIP LOCKED: a row that is being written is left to the next run, and two processes share the work.
const DUE = {
  name: 'retention-contacts-due',
  text: `
    SELECT reference FROM bookings WHERE tenant_id = $1 AND ends_at < $2 AND customer_name IS NOT NULL
    ORDER BY ends_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
};

const ANONYMIZE = {
  name: 'retention-contacts-anonymize',
  text: 'UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = ANY($1)',
};

const RESPONSES = {
  name: 'retention-responses',
  text: `
    SELECT application_id, key_hash, response FROM idempotency_keys
    WHERE booking_reference = ANY($1) AND response IS NOT NULL FOR UPDATE`,
};

const RESEAL = {
  name: 'retention-responses-reseal',
  text: `
    UPDATE idempotency_keys k SET response = given.response
    FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS given (application_id, key_hash, response)
    WHERE k.application_id = given.application_id AND k.key_hash = given.key_hash`,
};

/**
 * Anonymizes up to `limit` contacts of bookings that ended before `before`, and returns their number. The same
 * transaction removes the contacts from the responses that are stored for replays (contract B8). The bookings' versions
 * do not change (contract B7).
 */
export async function anonymizeContacts(now: Date, tenantId: string, before: Date, limit: number): Promise<number> {
  return writeTransaction(beginBudget(), tenantLock(tenantId), async (tx) => {
    const due = await tx.query<{ reference: string }>(DUE, [tenantId, before, limit]);
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await tx.query(ANONYMIZE, [references]);
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

type StoredResponse = { application_id: string; key_hash: Buffer; response: Buffer };

async function anonymizeResponses(tx: WriteTx, references: string[]): Promise<void> {
  const responses = await tx.query<StoredResponse>(RESPONSES, [references]);
  if (responses.length === 0) return;
  await tx.query(RESEAL, [
    responses.map(({ application_id }) => application_id),
    responses.map(({ key_hash }) => key_hash),
    responses.map(withoutContact),
  ]);
}

function withoutContact({ application_id: applicationId, key_hash: keyHash, response }: StoredResponse): Buffer {
  const place = responsePlace({ applicationId, keyHash });
  const data: unknown = JSON.parse(open(response, place), (key, value) =>
    key === 'customer' ? { name: null, phone_masked: null } : value,
  );
  return seal(JSON.stringify(data), place);
}
