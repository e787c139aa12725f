import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { param, sql, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { auditedBooking } from './audited';
import { BOOKING_SUMMARY_COLUMNS, type BookingSummary, type SummaryRow, summaryOf } from './list';
import { NAMES_SQL } from './names';
import { internationalNumbers, readablePhone, spellingsOf } from './national-phone';
import { searchedPhoneHashes } from './phone-hash';

const MAX_FOUND = 50;

// A booking in progress counts as upcoming, as in the list of the Bookings page.
const ORDER = sql`b.status = 'cancelled', b.ends_at <= ${param.timestamptz('now')},
  CASE WHEN b.ends_at > ${param.timestamptz('now')} THEN b.starts_at END, b.starts_at DESC, b.reference DESC`;

/** Exported for a test of the index that PostgreSQL uses. */
export const BY_PHONE = statement<SummaryRow>()`
  SELECT b.*, ${NAMES_SQL.columns}
  FROM (SELECT ${BOOKING_SUMMARY_COLUMNS} FROM bookings b
    WHERE b.tenant_id = ${param.text('tenantId')} AND b.phone_hash = ANY(${param.byteas('hashes')})
      AND b.consent_withdrawn_at IS NULL
    ORDER BY ${ORDER} LIMIT ${MAX_FOUND + 1}) b
    ${NAMES_SQL.joins}
  ORDER BY ${ORDER}`;

export type FoundByPhone = {
  bookings: BookingSummary[];
  truncated: boolean;
  understood: string[];
  countries: string[];
};

type Search = { tenantId: string; actor: Actor; phone?: string; national?: string };

/**
 * Returns the bookings with exactly this phone number: upcoming, then past, then canceled. Not those that are
 * anonymized or without consent. A `national` number is tried with several country codes. Finding bookings reveals who
 * has the number, so an audit entry without it is committed first. `understood` has the searched numbers, and
 * `countries` where a national one was looked up.
 */
export async function findByPhone(now: Date, { tenantId, actor, phone, national }: Search): Promise<FoundByPhone> {
  const { numbers, countries } =
    phone === undefined ? await internationalNumbers(tenantId, national ?? '') : { numbers: [phone], countries: [] };
  const hashes = numbers.flatMap(spellingsOf).flatMap((one) => searchedPhoneHashes(tenantId, one));
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const rows = await tx.query(BY_PHONE, { tenantId, hashes, now });
    const found = rows.slice(0, MAX_FOUND);
    const [first] = found;
    if (first) {
      const object = { kind: 'booking', id: first.reference };
      // The positions in both lists correspond.
      const after = { references: found.map(({ reference }) => reference), bookings: found.map(auditedBooking) };
      await recordInWrite(tx, now, { tenantId, actor, action: 'booking.found_by_phone', object, after });
    }
    const understood = [...new Set(numbers.map(readablePhone))];
    return { bookings: found.map(summaryOf), truncated: rows.length > MAX_FOUND, understood, countries };
  });
}
