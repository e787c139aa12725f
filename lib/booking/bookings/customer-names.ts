import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange, recordInWrite } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { open } from '@/lib/platform/crypto';
import { db } from '@/lib/platform/db';
import { placeIn } from '@/lib/platform/sealed-columns';
import { param, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { LOCAL_START } from '../local-columns';
import { auditedBooking } from './audited';
import { BOOKING_SUMMARY_COLUMNS, type BookingSummary, type SummaryRow, summaryOf } from './list';
import { searchedNameHashes, wordsOf } from './name-hash';
import { NAMES_SQL } from './names';
import { IN_REACH } from './statements';

type By = { tenantId: string; actor: Actor };

/** Returns whether owners and the front desk of a tenant see the names of customers. @throws AppError not_found */
export async function readNamesShown(tenantId: string): Promise<boolean> {
  const row = await db().tenant.findFirst({ where: { id: tenantId }, select: { showsCustomerNames: true } });
  if (!row) throw notFound();
  return row.showsCustomerNames;
}

/** Changes whether owners and the front desk see the names of customers. @throws AppError not_found */
export async function setNamesShown(now: Date, { tenantId, actor }: By, shown: boolean): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
    const row = await tx.tenant.findUnique({ where: { id: tenantId }, select: { showsCustomerNames: true } });
    if (!row) throw notFound();
    if (row.showsCustomerNames === shown) return;
    await tx.tenant.update({ where: { id: tenantId }, data: { showsCustomerNames: shown } });
    const values = { before: { customer_names: row.showsCustomerNames }, after: { customer_names: shown } };
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'customer_names.changed', object, ...values });
  });
}

const SHOWN = statement<{ shown: boolean }>('customer-names-shown')`
  SELECT shows_customer_names AS shown FROM tenants WHERE id = ${param.text('tenantId')}`;

async function areShown(tx: WriteTx, tenantId: string): Promise<boolean> {
  const [row] = await tx.query(SHOWN, { tenantId });
  return row?.shown ?? false;
}

/** Of a booking in reach that has a name, and whose customer has not withdrawn consent. */
const HAS_NAME = sql`b.customer_name IS NOT NULL AND b.consent_withdrawn_at IS NULL AND ${IN_REACH}`;

type NameRow = Parameters<typeof auditedBooking>[0] & { reference: string; customer_name: Buffer };

const NAMES = statement<NameRow>('customer-names')`
  SELECT ${LOCAL_START}, b.reference, b.customer_name, b.starts_at, b.time_zone, '' AS service_name FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY(${param.texts('references')}) AND ${HAS_NAME}`;

/** Where names are shown. */
export const NAME_VIEWS = ['list', 'day', 'week', 'today'] as const;

export type CustomerName = { reference: string; name: string };

/**
 * Returns the names of the customers of the given bookings, after an audit entry about the view is committed. Returns none
 * if the business has not switched names on.
 */
export async function viewNames(
  now: Date,
  { tenantId, actor, view, references }: By & { view: (typeof NAME_VIEWS)[number]; references: readonly string[] },
): Promise<CustomerName[]> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    if (!(await areShown(tx, tenantId))) return [];
    const rows = await tx.query(NAMES, { tenantId, references });
    const names = rows.flatMap(nameOf);
    if (names.length === 0) return [];
    const dates = rows.map((row) => auditedBooking(row).date).sort();
    const after = { view, bookings: names.length, date_from: dates[0], date_to: dates.at(-1) };
    const object = { kind: 'tenant', id: tenantId };
    await recordInWrite(tx, now, { tenantId, actor, action: 'customer_names.viewed', object, after });
    return names;
  });
}

/** Empty if the name cannot be decrypted. */
function nameOf({ reference, customer_name: name }: { reference: string; customer_name: Buffer }): CustomerName[] {
  try {
    return [{ reference, name: open(name, placeIn('bookings.customer_name', reference)) }];
  } catch {
    return [];
  }
}

const MAX_FOUND = 50;
const DAY = 86_400_000;
/** Days before and after now in which bookings are found by name. The search reads all of the tenant's bookings in them. */
const FOUND_DAYS = 90;

const ORDER = sql`b.status = 'cancelled', b.ends_at <= ${param.timestamptz('now')},
  CASE WHEN b.ends_at > ${param.timestamptz('now')} THEN b.starts_at END, b.starts_at DESC, b.reference DESC`;

const BY_NAME = statement<SummaryRow & { customer_name: Buffer }>()`
  SELECT b.*, ${NAMES_SQL.columns}
  FROM (SELECT ${BOOKING_SUMMARY_COLUMNS}, b.customer_name FROM bookings b
    WHERE b.tenant_id = ${param.text('tenantId')}
      AND b.starts_at > ${param.timestamptz('after')} AND b.starts_at < ${param.timestamptz('before')}
      AND (b.name_hashes @> ${param.byteas('hashes')} OR b.name_hashes @> ${param.byteas('previousHashes')}) AND ${HAS_NAME}
    ORDER BY ${ORDER} LIMIT ${MAX_FOUND + 1}) b
    ${NAMES_SQL.joins}
  ORDER BY ${ORDER}`;

export type FoundByName = { bookings: BookingSummary[]; names: CustomerName[]; truncated: boolean };

/**
 * Returns the bookings of the last and the next 90 days whose customer's name has all words of `name`: upcoming, then past,
 * then canceled. Not those that are anonymized or without consent. As in `findByPhone`, an audit entry is committed first.
 * @throws AppError invalid_request for a name without a word of two letters; forbidden if the business has not switched
 *   names on.
 */
export async function findByName(now: Date, { tenantId, actor, name }: By & { name: string }): Promise<FoundByName> {
  if (!wordsOf(name).some((word) => word.length > 1)) throw invalidField('name', 'must contain a word of two letters');
  const [hashes, previousHashes] = searchedNameHashes(tenantId, name);
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY);
  const range = { now, after: daysFromNow(-FOUND_DAYS), before: daysFromNow(FOUND_DAYS) };
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    if (!(await areShown(tx, tenantId))) throw new AppError('forbidden');
    const rows = await tx.query(BY_NAME, { tenantId, hashes, previousHashes, ...range });
    const found = rows.slice(0, MAX_FOUND);
    const [first] = found;
    if (first) {
      const object = { kind: 'booking', id: first.reference };
      const after = { references: found.map(({ reference }) => reference), bookings: found.map(auditedBooking) };
      await recordInWrite(tx, now, { tenantId, actor, action: 'booking.found_by_name', object, after });
    }
    return { bookings: found.map(summaryOf), names: found.flatMap(nameOf), truncated: rows.length > MAX_FOUND };
  });
}
