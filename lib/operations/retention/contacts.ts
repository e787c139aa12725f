import { recordInWrite } from '@/lib/activity/audit/record';
import { responsePlace } from '@/lib/booking/idempotency/store';
import { open, seal } from '@/lib/platform/crypto';
import { tenantLock } from '@/lib/platform/locks';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';

// Whoever holds a row now writes it; it is taken the next time. So two processes share the work instead of waiting.
const DUE = {
  name: 'retention-contacts-due',
  text: `
    SELECT reference FROM bookings WHERE tenant_id = $1 AND ends_at < $2 AND customer_name IS NOT NULL
    ORDER BY ends_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
};

const ANONYMISE = {
  name: 'retention-contacts-anonymise',
  text: 'UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = ANY($1)',
};

const ANSWERS = {
  name: 'retention-answers',
  text: `
    SELECT application_id, key_hash, response FROM idempotency_keys
    WHERE booking_reference = ANY($1) AND response IS NOT NULL FOR UPDATE`,
};

const RESEAL = {
  name: 'retention-answers-reseal',
  text: `
    UPDATE idempotency_keys k SET response = given.response
    FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS given (application_id, key_hash, response)
    WHERE k.application_id = given.application_id AND k.key_hash = given.key_hash`,
};

/**
 * Anonymises up to `limit` contacts of bookings that ended before `before`, and returns how many. In the same
 * transaction the answers stored for replays lose them too: a replay is as it was, anonymised contacts excepted
 * (contract B8). No version changes (B7).
 */
export async function anonymiseContacts(now: Date, tenantId: string, before: Date, limit: number): Promise<number> {
  return writeTransaction(beginBudget(), tenantLock(tenantId), async (tx) => {
    const due = await tx.query<{ reference: string }>(DUE, [tenantId, before, limit]);
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await tx.query(ANONYMISE, [references]);
    await anonymiseAnswers(tx, references);
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

type Answer = { application_id: string; key_hash: Buffer; response: Buffer };

async function anonymiseAnswers(tx: WriteTx, references: string[]): Promise<void> {
  const answers = await tx.query<Answer>(ANSWERS, [references]);
  if (answers.length === 0) return;
  await tx.query(RESEAL, [
    answers.map(({ application_id }) => application_id),
    answers.map(({ key_hash }) => key_hash),
    answers.map(withoutContact),
  ]);
}

function withoutContact({ application_id: applicationId, key_hash: keyHash, response }: Answer): Buffer {
  const place = responsePlace({ applicationId, keyHash });
  const data: unknown = JSON.parse(open(response, place), (key, value) =>
    key === 'customer' ? { name: null, phone_masked: null } : value,
  );
  return seal(JSON.stringify(data), place);
}
