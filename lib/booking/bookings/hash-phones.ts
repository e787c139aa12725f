import { open } from '@/lib/platform/crypto';
import { pool } from '@/lib/platform/db';
import { placeIn } from '@/lib/platform/sealed-columns';
import { bind, param, statement } from '@/lib/platform/sql';
import { storedPhoneHash } from './phone-hash';

const BATCH = 500;
const MAX_BATCHES = 2_000;

type Row = { reference: string; tenant_id: string; customer_phone: Buffer };

const MISSING = statement<Row>('phones-missing')`
  SELECT b.reference, b.tenant_id, b.customer_phone FROM bookings b
  WHERE b.phone_hash IS NULL AND b.customer_phone IS NOT NULL AND b.reference > ${param.text('after')}
  ORDER BY b.reference LIMIT ${param.int('limit')}`;

// Skips a row whose encrypted number has changed since the hash was computed.
const SET_HASHES = statement<never>('phones-set-hashes')`
  UPDATE bookings b SET phone_hash = given.hash
  FROM unnest(${param.texts('references')}, ${param.byteas('phones')}, ${param.byteas('hashes')})
    AS given (reference, phone, hash)
  WHERE b.reference = given.reference AND b.customer_phone = given.phone AND b.phone_hash IS NULL`;

/**
 * Adds missing hashes to bookings of an earlier version, in short batches. Stops when `signal` aborts; the next run
 * continues. Returns the number of stored hashes.
 */
export async function hashPhones(
  _now: Date,
  signal: AbortSignal,
  { batch = BATCH, maxBatches = MAX_BATCHES } = {},
): Promise<{ hashed: number }> {
  let hashed = 0;
  let after = '';
  for (let run = 0; run < maxBatches && !signal.aborted; run += 1) {
    const { rows } = await pool().query<Row>(bind(MISSING, { after, limit: batch }));
    const found = rows.flatMap(hashOf);
    const values = {
      references: found.map(({ reference }) => reference),
      phones: found.map(({ phone }) => phone),
      hashes: found.map(({ hash }) => hash),
    };
    if (found.length > 0) hashed += (await pool().query(bind(SET_HASHES, values))).rowCount ?? 0;
    after = rows.at(-1)?.reference ?? after;
    if (rows.length < batch) break;
  }
  return { hashed };
}

/** Empty if the number cannot be decrypted. */
function hashOf({ reference, tenant_id: tenantId, customer_phone: phone }: Row) {
  let number: string;
  try {
    number = open(phone, placeIn('bookings.customer_phone', reference));
  } catch {
    return [];
  }
  return [{ reference, phone, hash: storedPhoneHash(tenantId, number) }];
}
