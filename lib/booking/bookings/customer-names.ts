import { readTenant } from '@/lib/access/tenants/read';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange, recordInWrite } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { open, placeIn } from '@/lib/platform/secrets';
import { param, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { LOCAL_START } from '../local-times';
import { auditedBooking } from './booking';
import { HAS_WORDS, searchedNameHashes } from './customer';
import { MAX_FOUND, recordFound, UPCOMING_FIRST } from './find-by-phone';
import { IN_REACH } from './statements';
import { type BookingSummary, SUMMARY_COLUMNS, type SummaryRow, summariesSql } from './summary';

type By = { tenantId: string; actor: Actor };

/** Returns whether owners and the front desk of a tenant see the names of customers. @throws AppError not_found */
export async function readNamesShown(tenantId: string): Promise<boolean> {
  return (await readTenant(db(), tenantId, { showsCustomerNames: true })).showsCustomerNames;
}

/** Changes whether owners and the front desk see the names of customers. @throws AppError not_found */
export async function setNamesShown(now: Date, { tenantId, actor }: By, shown: boolean): Promise<void> {
  await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR NO KEY UPDATE`;
    const row = await readTenant(tx, tenantId, { showsCustomerNames: true });
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

const DAY = 86_400_000;
/** Days before and after now in which bookings are found by name. The search reads all of the tenant's bookings in them. */
const FOUND_DAYS = 90;

const BY_NAME = statement<SummaryRow & { customer_name: Buffer }>()`${summariesSql({
  columns: sql`${SUMMARY_COLUMNS}, b.customer_name`,
  where: sql`b.tenant_id = ${param.text('tenantId')} AND ${HAS_WORDS} AND ${HAS_NAME}
    AND b.starts_at > ${param.timestamptz('after')} AND b.starts_at < ${param.timestamptz('before')}`,
  order: UPCOMING_FIRST,
  limit: MAX_FOUND + 1,
})}`;

export type FoundByName = { bookings: BookingSummary[]; names: CustomerName[]; truncated: boolean };

/**
 * Returns the bookings of the last and the next 90 days whose customer's name has all words of `name`: upcoming, then past,
 * then canceled. Not those that are anonymized or without consent. As in `findByPhone`, an audit entry is committed first.
 * @throws AppError invalid_request for a name without a word of two letters; forbidden if the business has not switched
 *   names on.
 */
export async function findByName(now: Date, { tenantId, actor, name }: By & { name: string }): Promise<FoundByName> {
  const hashes = searchedNameHashes(tenantId, name);
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY);
  const range = { now, after: daysFromNow(-FOUND_DAYS), before: daysFromNow(FOUND_DAYS) };
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    if (!(await areShown(tx, tenantId))) throw new AppError('forbidden');
    const rows = await tx.query(BY_NAME, { tenantId, ...hashes, ...range });
    const found = await recordFound(tx, now, { tenantId, actor, action: 'booking.found_by_name' }, rows);
    return { ...found, names: rows.slice(0, MAX_FOUND).flatMap(nameOf) };
  });
}
