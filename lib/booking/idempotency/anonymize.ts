import { log } from '@/lib/platform/log';
import { open, seal } from '@/lib/platform/secrets';
import { param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { responseContext } from './once';

const ANONYMIZE = statement<never>('customers-anonymize')`
  UPDATE bookings SET customer_name = NULL, customer_phone = NULL, customer_email = NULL, customer_locale = NULL,
    note = NULL, metadata = NULL, phone_hash = NULL, name_hashes = NULL
  WHERE reference = ANY(${param.texts('references')})`;

/**
 * Removes the customers of bookings that the transaction has locked, also in the responses that are stored for replays
 * (contract B8). The versions of the bookings do not change (contract B7). Returns the number of changed responses.
 */
export async function anonymizeBookings(tx: WriteTx, references: string[]): Promise<number> {
  await tx.query(ANONYMIZE, { references });
  return anonymizeResponses(tx, references);
}

const STORED_RESPONSES = statement<StoredResponse>('idempotency-stored-responses')`
  SELECT application_id, key_hash, response FROM idempotency_keys
  WHERE booking_reference = ANY(${param.texts('references')}) AND response IS NOT NULL FOR UPDATE`;

const REPLACE_RESPONSES = statement<never>('idempotency-replace-responses')`
  UPDATE idempotency_keys k SET response = given.response
  FROM unnest(${param.texts('applicationIds')}, ${param.byteas('keyHashes')}, ${param.byteas('responses')})
    AS given (application_id, key_hash, response)
  WHERE k.application_id = given.application_id AND k.key_hash = given.key_hash`;

/** Returns a field of a response without data of the customer. The response of an earlier version has fewer fields. */
function withoutCustomer(name: string, value: unknown): unknown {
  if (name === 'note_characters' || name === 'metadata') return null;
  if (name !== 'customer') return value;
  return Object.fromEntries(Object.keys(Object(value)).map((field) => [field, null]));
}

type StoredResponse = { application_id: string; key_hash: Buffer; response: Buffer };

/**
 * Removes the customers of bookings from the responses that are stored for replays (contract B8). Returns the number of
 * responses that contained one.
 */
export async function anonymizeResponses(tx: WriteTx, references: string[]): Promise<number> {
  const stored = (await tx.query(STORED_RESPONSES, { references })).flatMap(withoutContact);
  if (stored.length === 0) return 0;
  await tx.query(REPLACE_RESPONSES, {
    applicationIds: stored.map(({ application_id }) => application_id),
    keyHashes: stored.map(({ key_hash }) => key_hash),
    responses: stored.map(({ response }) => response),
  });
  return stored.length;
}

/**
 * Empty if the response contains no contact, or cannot be decrypted: then nobody can read the contact in it, and its key expires after a few
 * days.
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
  const anonymous = JSON.stringify(JSON.parse(text, withoutCustomer));
  return anonymous === text ? [] : [{ ...stored, response: seal(anonymous, context) }];
}
