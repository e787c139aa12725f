import { param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { anonymizeResponses } from '../idempotency/anonymize';

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
