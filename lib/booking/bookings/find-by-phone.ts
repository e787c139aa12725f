import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { pool } from '@/lib/platform/db';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { LOCAL_START } from '../local-times';
import { auditedBooking, type BookingRow } from './booking';
import { openCustomer, searchedPhoneHashes, spellingsOf } from './customer';
import { IN_REACH, SERVICE_NAME } from './statements';
import { type BookingSummary, type SummaryRow, summariesSql, summaryOf } from './summary';

export const MAX_FOUND = 50;

/** Upcoming, then past, then canceled. A booking in progress counts as upcoming, as in the list of the Bookings page. */
export const UPCOMING_FIRST = sql`b.status = 'cancelled', b.ends_at <= ${param.timestamptz('now')},
  CASE WHEN b.ends_at > ${param.timestamptz('now')} THEN b.starts_at END, b.starts_at DESC, b.reference DESC`;

const HAS_PHONE = sql`b.tenant_id = ${param.text('tenantId')} AND b.phone_hash = ANY(${param.byteas('hashes')})
  AND b.consent_withdrawn_at IS NULL AND ${IN_REACH}`;

/** Exported for a test of the index that PostgreSQL uses. */
export const BY_PHONE = statement<SummaryRow>()`${summariesSql({
  where: HAS_PHONE,
  order: UPCOMING_FIRST,
  limit: MAX_FOUND + 1,
})}`;

type FoundByPhone = {
  bookings: BookingSummary[];
  truncated: boolean;
  understood: string[];
  countries: string[];
};

type KnownRow = Pick<BookingRow, 'reference' | 'customer_name' | 'customer_phone'> &
  Parameters<typeof auditedBooking>[0];

const LATEST_BY_PHONE = statement<KnownRow>()`
  SELECT ${LOCAL_START}, b.reference, b.starts_at, b.time_zone, b.customer_name, b.customer_phone, ${SERVICE_NAME}
  FROM bookings b WHERE ${HAS_PHONE}
  ORDER BY b.starts_at DESC, b.reference DESC LIMIT 1`;

/**
 * Returns the customer of the latest booking with exactly this phone number, and commits an audit entry that the contact
 * was viewed. If there is none, returns the number in its international format, or null if it can be several numbers.
 */
export async function findCustomer(now: Date, search: Search): Promise<{ name: string | null; phone: string | null }> {
  const { tenantId, actor } = search;
  const { numbers, hashes } = await searchedPhones(search);
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [row] = await tx.query(LATEST_BY_PHONE, { tenantId, hashes });
    const customer = row && openCustomer(row);
    if (!customer) return { name: null, phone: numbers.length === 1 ? (numbers[0] ?? null) : null };
    const object = { kind: 'booking', id: row.reference };
    const entry = { tenantId, actor, action: 'booking.contact_viewed', object, after: auditedBooking(row) };
    await recordInWrite(tx, now, entry);
    return customer;
  });
}

type Search = { tenantId: string; actor: Actor; phone?: string; national?: string };

/**
 * Returns the bookings with exactly this phone number: upcoming, then past, then canceled. Not those that are
 * anonymized or without consent. A `national` number is tried with several country codes. Finding bookings reveals who
 * has the number, so an audit entry without it is committed first. `understood` has the searched numbers, and
 * `countries` where a national one was looked up.
 */
export async function findByPhone(now: Date, { tenantId, actor, phone, national }: Search): Promise<FoundByPhone> {
  const { countries, hashes, understood } = await searchedPhones({ tenantId, phone, national });
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const rows = await tx.query(BY_PHONE, { tenantId, hashes, now });
    const found = await recordFound(tx, now, { tenantId, actor, action: 'booking.found_by_phone' }, rows);
    return { ...found, understood, countries };
  });
}

/** Returns the first found bookings, and records that they were found, if there are any. */
export async function recordFound(
  tx: WriteTx,
  now: Date,
  by: { tenantId: string; actor: Actor; action: 'booking.found_by_phone' | 'booking.found_by_name' },
  rows: readonly (SummaryRow & Parameters<typeof auditedBooking>[0])[],
): Promise<{ bookings: BookingSummary[]; truncated: boolean }> {
  const found = rows.slice(0, MAX_FOUND);
  const [first] = found;
  if (first) {
    const object = { kind: 'booking', id: first.reference };
    // The positions in both lists correspond.
    const after = { references: found.map(({ reference }) => reference), bookings: found.map(auditedBooking) };
    await recordInWrite(tx, now, { ...by, object, after });
  }
  return { bookings: found.map(summaryOf), truncated: rows.length > MAX_FOUND };
}

/**
 * Returns the hashes of a number with all its spellings, the numbers, and the countries in which a `national` one was looked
 * up. `understood` has the numbers as people write them.
 */
export async function searchedPhones({ tenantId, phone, national }: Omit<Search, 'actor'>) {
  const { numbers, countries } =
    phone === undefined ? await internationalNumbers(tenantId, national ?? '') : { numbers: [phone], countries: [] };
  const hashes = numbers.flatMap(spellingsOf).flatMap((one) => searchedPhoneHashes(tenantId, one));
  return { numbers, countries, hashes, understood: [...new Set(numbers.map(readablePhone))] };
}

const MAX_COUNTRIES = 20;

const COUNTRIES = statement<{ country: string }>()`
  SELECT country FROM locations WHERE tenant_id = ${param.text('tenantId')}
  GROUP BY country ORDER BY count(*) DESC, country LIMIT ${MAX_COUNTRIES}`;

/** Also returns the countries that were tried: those of the tenant's locations, the most frequent first. */
async function internationalNumbers(
  tenantId: string,
  national: string,
): Promise<{ numbers: string[]; countries: string[] }> {
  const { rows } = await pool().query<{ country: string }>(bind(COUNTRIES, { tenantId }));
  const countries = rows.map(({ country }) => country);
  const numbers = countries.flatMap((country) => {
    if (!isSupportedCountry(country)) return [];
    const parsed = parsePhoneNumberFromString(national, country);
    return parsed?.isPossible() ? [parsed.number as string] : [];
  });
  return { numbers: [...new Set(numbers)], countries };
}

/** Returns a number in groups, such as `+49 30 55501234`, in the spelling that is dialed today. */
function readablePhone(phone: string): string {
  const dialed = spellingsOf(phone).reduce((a, b) => (b.length < a.length ? b : a));
  return parsePhoneNumberFromString(dialed)?.formatInternational() ?? dialed;
}
