import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { openCustomer, storedHashes } from './customer';

const BATCH = 500;
const MAX_BATCHES = 2_000;

type Row = { reference: string; tenant_id: string; customer_name: Buffer; customer_phone: Buffer };

const MISSING = statement<Row>('contacts-missing')`
  SELECT b.reference, b.tenant_id, b.customer_name, b.customer_phone FROM bookings b
  WHERE b.name_hashes IS NULL AND b.customer_phone IS NOT NULL AND b.reference > ${param.text('after')}
  ORDER BY b.reference LIMIT ${param.int('limit')}`;

// Skips a row whose encrypted number has changed since the hashes were computed. The words of a name are separated by
// commas, because an array of arrays needs rows of equal length.
const SET_HASHES = statement<never>('contacts-set-hashes')`
  UPDATE bookings b SET phone_hash = given.hash,
    name_hashes = ARRAY(SELECT decode(word, 'hex') FROM unnest(string_to_array(given.words, ',')) AS word)
  FROM unnest(${param.texts('references')}, ${param.byteas('phones')}, ${param.byteas('hashes')}, ${param.texts('words')})
    AS given (reference, phone, hash, words)
  WHERE b.reference = given.reference AND b.customer_phone = given.phone AND b.name_hashes IS NULL`;

/**
 * Adds missing hashes of contacts to bookings of an earlier version, in short batches. Stops when `signal` aborts; the next
 * run continues. Returns the number of bookings that got their hashes.
 */
export async function hashContacts(
  _now: Date,
  signal: AbortSignal,
  { batch = BATCH, maxBatches = MAX_BATCHES } = {},
): Promise<{ hashed: number }> {
  let hashed = 0;
  let after = '';
  for (let run = 0; run < maxBatches && !signal.aborted; run += 1) {
    const { rows } = await pool().query<Row>(bind(MISSING, { after, limit: batch }));
    const found = rows.flatMap(hashesOf);
    const values = {
      references: found.map(({ reference }) => reference),
      phones: found.map(({ phone }) => phone),
      hashes: found.map(({ phoneHash }) => phoneHash),
      words: found.map(({ nameHashes }) => nameHashes.map((hash) => hash.toString('hex')).join(',')),
    };
    if (found.length > 0) hashed += (await pool().query(bind(SET_HASHES, values))).rowCount ?? 0;
    after = rows.at(-1)?.reference ?? after;
    if (rows.length < batch) break;
  }
  return { hashed };
}

/** Empty if the contact cannot be decrypted. */
function hashesOf(row: Row) {
  try {
    const customer = openCustomer(row);
    if (!customer) return [];
    return [{ reference: row.reference, phone: row.customer_phone, ...storedHashes(row.tenant_id, customer) }];
  } catch {
    return [];
  }
}
