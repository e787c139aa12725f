import { recordInWrite } from '@/lib/activity/audit/record';
import { responseContext } from '@/lib/booking/idempotency/store';
import { open, seal } from '@/lib/platform/crypto';
import { log } from '@/lib/platform/log';
import { param, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';

// With SKIP LOCKED, a run skips bookings that another transaction has locked. The next run processes these bookings.
// Two processes can therefore share the work.
const DUE = statement<{ reference: string }>('retention-contacts-due')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND ends_at < ${param.timestamptz('before')}
    AND customer_name IS NOT NULL
  ORDER BY ends_at LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE SKIP LOCKED`;

const ANONYMIZE = statement<never>('retention-contacts-anonymize')`
  UPDATE bookings SET customer_name = NULL, customer_phone = NULL, phone_hash = NULL
  WHERE reference = ANY(${param.texts('references')})`;

const STORED_RESPONSES = statement<StoredResponse>('retention-stored-responses')`
  SELECT application_id, key_hash, response FROM idempotency_keys
  WHERE booking_reference = ANY(${param.texts('references')}) AND response IS NOT NULL FOR UPDATE`;

const REPLACE_RESPONSES = statement<never>('retention-replace-responses')`
  UPDATE idempotency_keys k SET response = given.response
  FROM unnest(${param.texts('applicationIds')}, ${param.byteas('keyHashes')}, ${param.byteas('responses')})
    AS given (application_id, key_hash, response)
  WHERE k.application_id = given.application_id AND k.key_hash = given.key_hash`;

/**
 * Anonymizes the contacts of up to `limit` bookings that ended before `before`, and returns the number of these
 * bookings. The same transaction also removes the contacts from the responses that are stored for replays
 * (contract B8). The versions of the bookings do not change (contract B7).
 */
export async function anonymizeContacts(now: Date, tenantId: string, before: Date, limit: number): Promise<number> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const due = await tx.query(DUE, { tenantId, before, limit });
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

type StoredResponse = { application_id: string; key_hash: Buffer; response: Buffer };

async function anonymizeResponses(tx: WriteTx, references: string[]): Promise<void> {
  const stored = (await tx.query(STORED_RESPONSES, { references })).flatMap(withoutContact);
  if (stored.length === 0) return;
  await tx.query(REPLACE_RESPONSES, {
    applicationIds: stored.map(({ application_id }) => application_id),
    keyHashes: stored.map(({ key_hash }) => key_hash),
    responses: stored.map(({ response }) => response),
  });
}

/**
 * Returns a list with the stored response without the contact. The list is empty if the response cannot be decrypted:
 * then nobody can read the contact in it, and its idempotency key expires after a few days.
 */
function withoutContact(stored: StoredResponse): StoredResponse[] {
  const { application_id: applicationId, key_hash: keyHash, response } = stored;
  const context = responseContext({ applicationId, keyHash });
  let text: string;
  try {
    text = open(response, context);
  } catch (error) {
    log().error({ err: error, application: applicationId }, 'a stored response could not be anonymized');
    return [];
  }
  const data: unknown = JSON.parse(text, (key, value) =>
    key === 'customer' ? { name: null, phone_masked: null } : value,
  );
  return [{ ...stored, response: seal(JSON.stringify(data), context) }];
}
