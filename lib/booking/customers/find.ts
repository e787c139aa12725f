import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { param, type Sql, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { HAS_WORDS, maskPhone, openCustomer, searchedNameHashes } from '../bookings/customer';
import { searchedPhones } from '../bookings/find-by-phone';
import { type BookingSummary, SUMMARY_COLUMNS, type SummaryRow, summariesSql, summaryOf } from '../bookings/summary';
import { type FoundBy, MAX_BOOKINGS } from './erasure';

/** The optional fields that a booking can have. */
export const OPTIONAL_FIELDS = ['email', 'language', 'note', 'metadata'] as const;

type OptionalField = (typeof OPTIONAL_FIELDS)[number];

type Row = SummaryRow & { optional: OptionalField[] };

const COLUMNS = sql`${SUMMARY_COLUMNS}, b.customer_name, b.customer_phone, b.consent_withdrawn_at,
  array_remove(ARRAY[CASE WHEN b.customer_email IS NOT NULL THEN 'email' END, CASE WHEN b.customer_locale IS NOT NULL THEN 'language' END,
    CASE WHEN b.note IS NOT NULL THEN 'note' END, CASE WHEN b.metadata IS NOT NULL THEN 'metadata' END], NULL) AS optional`;

// Also those without consent: the data is still stored. A booking has a hash exactly while it has a contact.
const BY_PHONE = latest(sql`b.phone_hash = ANY(${param.byteas('hashes')})`);
const BY_NAME = latest(sql`b.customer_name IS NOT NULL AND ${HAS_WORDS}`);

function latest<Values>(where: Sql<Values>) {
  return statement<Row>()`${summariesSql({
    columns: COLUMNS,
    where: sql`b.tenant_id = ${param.text('tenantId')} AND ${where}`,
    order: sql`b.starts_at DESC, b.reference DESC`,
    limit: MAX_BOOKINGS + 1,
  })}`;
}

export type FoundBooking = BookingSummary & {
  name: string;
  phone_masked: string;
  /** Which other data of the customer is stored. */
  optional: OptionalField[];
  consent_withdrawn: boolean;
  /** Confirmed, and not over. */
  upcoming: boolean;
};

/** A number, a number without a country code, or a name. */
export type Search = { phone?: string; national?: string; name?: string };

type Found = {
  bookings: FoundBooking[];
  truncated: boolean;
  /** The numbers that were searched, and the countries in which a number without a country code was looked up. */
  understood: string[];
  countries: string[];
};

/**
 * Returns the bookings of a tenant that have data of the customer with exactly this phone number, or whose name has all words of
 * `name`, the latest first. An audit entry without the number and the name is committed first.
 * @throws AppError invalid_request for a name without a word of two letters.
 */
export async function findCustomerData(
  now: Date,
  { tenantId, actor, ...search }: { tenantId: string; actor: Actor } & Search,
): Promise<Found> {
  const foundBy: FoundBy = search.name === undefined ? 'phone' : 'name';
  const { understood, countries, read } = await readerOf(tenantId, search);
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const rows = await read(tx);
    const bookings = rows.slice(0, MAX_BOOKINGS).map((row) => foundOf(now, row));
    const object = { kind: 'tenant', id: tenantId };
    const after = { found_by: foundBy, bookings: bookings.length };
    await recordInWrite(tx, now, { tenantId, actor, action: 'customer.searched', object, after });
    return { bookings, truncated: rows.length > MAX_BOOKINGS, understood, countries };
  });
}

type Reader = Pick<Found, 'understood' | 'countries'> & { read: (tx: WriteTx) => Promise<Row[]> };

async function readerOf(tenantId: string, { name, ...search }: Search): Promise<Reader> {
  if (name === undefined) {
    const { hashes, understood, countries } = await searchedPhones({ tenantId, ...search });
    return { understood, countries, read: (tx) => tx.query(BY_PHONE, { tenantId, hashes }) };
  }
  const hashes = searchedNameHashes(tenantId, name);
  return { understood: [], countries: [], read: (tx) => tx.query(BY_NAME, { tenantId, ...hashes }) };
}

function foundOf(now: Date, row: Row): FoundBooking {
  const { name, phone_masked } = contactOf(row);
  return {
    ...summaryOf(row),
    name,
    phone_masked,
    optional: row.optional,
    consent_withdrawn: row.consent_withdrawn_at !== null,
    upcoming: row.status === 'confirmed' && row.ends_at > now,
  };
}

/** Empty if the contact cannot be decrypted. It can be erased nevertheless. */
function contactOf(row: Row): { name: string; phone_masked: string } {
  try {
    const customer = openCustomer(row);
    return { name: customer?.name ?? '', phone_masked: customer ? maskPhone(customer.phone) : '' };
  } catch {
    return { name: '', phone_masked: '' };
  }
}
