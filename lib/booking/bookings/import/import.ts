import { createHash } from 'node:crypto';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { readRows } from '@/lib/platform/db';
import { bookingLock } from '@/lib/platform/locks';
import { inParts } from '@/lib/platform/parts';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { param, sql, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import type { RowReader } from '../../availability/claims';
import type { Catalog } from '../../catalog/snapshot';
import { bookingEvent } from '../change';
import { newValues } from '../create';
import { catalogOf } from '../owner-reschedule';
import { claimValues } from '../resolve';
import { type ImportRow, type RowIssue, readDocument } from './document';
import { type Plan, type PlannedBooking, type PlannedClaim, planOf, referenceOf, type Warning } from './plan';

type By = { tenantId: string; actor: Actor };

/** Issues and warnings of a reply. */
const MAX_LISTED = 500;
/** Milliseconds that the transaction of an import may take longer than that of another write. */
const MORE_TIME = 20_000;

/** The result of a check. An import is possible if there are no issues. */
export type ImportCheck = {
  /** Hash of the document and of what its import would do. If it differs, the check is outdated. */
  basis: string;
  issues: RowIssue[];
  issue_count: number;
  warnings: Warning[];
  warning_count: number;
  /** The number of bookings that would be made, and of those that an earlier import has made. */
  created: number;
  known: number;
};

/** Changes nothing. @throws AppError service_unavailable if other time zone rules are in force. */
export async function checkBookings(now: Date, by: By, text: string): Promise<ImportCheck> {
  const { rows, issues } = readDocument(text);
  const catalog = await currentCatalog(by.tenantId);
  const { plan, known } = await evaluate(now, by.tenantId, catalog, rows, readRows);
  return checkOf(text, { ...plan, issues: [...issues, ...plan.issues] }, known);
}

/**
 * Makes all bookings of the document in one transaction, each with one event without deliveries. `basis` is that of the
 * check that the owner confirmed.
 * @throws AppError version_conflict if the import would do something else, or is impossible; service_unavailable if it
 *   takes too long, or if other time zone rules are in force.
 */
export async function importBookings(now: Date, by: By, text: string, basis: string): Promise<{ created: number }> {
  const { rows, issues } = readDocument(text);
  if (issues.length > 0) throw new AppError('version_conflict');
  // Before the transaction, because it takes another connection.
  const catalog = await currentCatalog(by.tenantId);
  return writeTransaction(beginBudget(-MORE_TIME), by.tenantId, async (tx) => {
    // Two imports of the same document run one after the other. The second one finds all bookings.
    await tx.run(bookingLock(`import ${by.tenantId}`));
    const { plan, known } = await evaluate(now, by.tenantId, catalog, rows, tx.queryArrays);
    const check = checkOf(text, plan, known);
    if (check.issue_count > 0 || check.basis !== basis) throw new AppError('version_conflict');
    await write(tx, plan);
    const dates = plan.bookings.map(({ row }) => row.date).sort();
    const after = { bookings: plan.bookings.length, date_from: dates[0] ?? null, date_to: dates.at(-1) ?? null };
    const object = { kind: 'tenant', id: by.tenantId };
    if (plan.bookings.length > 0) await recordInWrite(tx, now, { ...by, action: 'bookings.imported', object, after });
    return { created: plan.bookings.length };
  });
}

const KNOWN = statement<[string]>('bookings-import-known')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND reference = ANY(${param.texts('references')})`;

async function currentCatalog(tenantId: string): Promise<Catalog> {
  if (rulesProblem() !== null) throw refusedByRules();
  return catalogOf(tenantId);
}

async function evaluate(now: Date, tenantId: string, catalog: Catalog, rows: readonly ImportRow[], read: RowReader) {
  const references = rows.map((row) => referenceOf(tenantId, row));
  const known = new Set((await read(KNOWN, { tenantId, references })).map(([reference]) => reference));
  return { plan: await planOf({ tenantId, now, catalog, known, read }, rows), known: known.size };
}

function checkOf(text: string, { issues, warnings, bookings }: Plan, known: number): ImportCheck {
  const plan = JSON.stringify([bookings.map(({ booking }) => booking.reference), warnings, known]);
  return {
    basis: createHash('sha256').update(`${text}\0${plan}`).digest('hex'),
    issues: issues.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0)).slice(0, MAX_LISTED),
    issue_count: issues.length,
    warnings: warnings.slice(0, MAX_LISTED),
    warning_count: warnings.length,
    created: bookings.length,
    known,
  };
}

const CLAIMS = sql`json_to_recordset(${param.json('claims')}) AS c (id uuid, specialist_id text, service_id text,
  location_id text, starts_at timestamptz, ends_at timestamptz, claimed_from timestamptz, claimed_to timestamptz,
  capacity int, seats int)`;

// As for a single booking: without ON CONFLICT DO NOTHING, two transactions could deadlock.
const INSERT_CLAIMS = statement<{ id: string }>('bookings-import-claims')`
  INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during, capacity, taken)
  SELECT id, ${param.text('tenantId')}, specialist_id, service_id, location_id, starts_at, ends_at,
    tstzrange(claimed_from, claimed_to), capacity, seats
  FROM ${CLAIMS} ON CONFLICT DO NOTHING RETURNING id`;

const TAKE_SEATS = statement<{ id: string; given: string }>('bookings-import-seats')`
  UPDATE slot_claims s SET taken = s.taken + c.seats FROM ${CLAIMS}
  WHERE s.tenant_id = ${param.text('tenantId')} AND s.specialist_id = c.specialist_id AND s.service_id = c.service_id
    AND s.location_id = c.location_id AND s.starts_at = c.starts_at AND s.ends_at = c.ends_at
    AND s.during = tstzrange(c.claimed_from, c.claimed_to) AND s.taken + c.seats <= s.capacity
  RETURNING s.id, c.id AS given`;

const INSERT_BOOKINGS = statement<never>('bookings-import-insert')`
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset(${param.json('bookings')}) AS b (reference text, claim_id uuid, service_id text,
      location_id text, specialist_id text, starts_at timestamptz, ends_at timestamptz, time_zone text, date date,
      start_time time, end_date date, end_time time, zone_rules text, cutoff int, price_amount int, price_currency text,
      external_reference text, consent_source text, customer_name text, customer_phone text, customer_email text, note text,
      phone_hash text, name_hashes text[], event_id text, payload text)),
  booking AS (
    INSERT INTO bookings (reference, tenant_id, source, application_id, claim_id, service_id, location_id, specialist_id,
      starts_at, ends_at, time_zone, date, start_time, end_date, end_time, zone_rules, local_version,
      cancellation_cutoff_minutes, price_amount, price_currency, external_reference, consent_at, consent_source,
      customer_name, customer_phone, customer_email, note, phone_hash, name_hashes, created_at, updated_at)
    SELECT reference, ${param.text('tenantId')}, 'business', NULL, claim_id, service_id, location_id, specialist_id, starts_at,
      ends_at, time_zone, date, start_time, end_date, end_time, zone_rules, 1, cutoff, price_amount, price_currency,
      external_reference, ${param.timestamptz('now')}, consent_source, decode(customer_name, 'hex'),
      decode(customer_phone, 'hex'), decode(customer_email, 'hex'), decode(note, 'hex'), decode(phone_hash, 'hex'),
      ARRAY(SELECT decode(hash, 'hex') FROM unnest(name_hashes) WITH ORDINALITY AS u (hash, at) ORDER BY at),
      ${param.timestamptz('now')}, ${param.timestamptz('now')}
    FROM given)
  INSERT INTO events (id, tenant_id, type, booking_reference, version, actor, payload, at)
  SELECT event_id, ${param.text('tenantId')}, 'booking.created', reference, 1, 'owner', payload, ${param.timestamptz('now')}
  FROM given`;

/** @throws AppError version_conflict if a concurrent write has taken a seat. */
async function write(tx: WriteTx, { bookings, claims }: Plan): Promise<void> {
  const [first] = bookings;
  if (!first) return;
  const { tenant_id: tenantId, created_at: now } = first.row;
  const ids = new Map<PlannedClaim['claim'], string>();
  for (const isStored of [true, false]) {
    const given = claims.filter((one) => one.isStored === isStored).map((one) => ({ one, values: valuesOfClaim(one) }));
    const values = { tenantId, claims: JSON.stringify(given.map(({ values: { json } }) => json)) };
    for (const {
      one,
      values: { json },
    } of given)
      ids.set(one.claim, json.id);
    if (given.length === 0) continue;
    if (!isStored) expectAll(given, await tx.query(INSERT_CLAIMS, values));
    else {
      const taken = expectAll(given, await tx.query(TAKE_SEATS, values));
      const stored = new Map(taken.map(({ id, given: asked }) => [asked, id]));
      for (const [claim, id] of ids) ids.set(claim, stored.get(id) ?? id);
    }
  }
  await inParts(bookings, (part) => {
    const rows = part.map((one) => valuesOfBooking(one, ids.get(one.claim) ?? ''));
    return tx.query(INSERT_BOOKINGS, { tenantId, now, bookings: JSON.stringify(rows) });
  });
}

function expectAll<Row>(given: readonly unknown[], rows: Row[]): Row[] {
  if (rows.length !== given.length) throw new AppError('version_conflict');
  return rows;
}

function valuesOfClaim({ first: { row, slot }, claim, seats }: PlannedClaim) {
  const values = claimValues(row, slot, claim.capacity);
  const json = {
    id: values.claimId,
    specialist_id: values.specialistId,
    service_id: values.serviceId,
    location_id: values.locationId,
    starts_at: values.startsAt,
    ends_at: values.endsAt,
    claimed_from: values.claimedFrom,
    claimed_to: values.claimedTo,
    capacity: values.capacity,
    seats,
  };
  return { json };
}

function valuesOfBooking({ row, booking, slot }: PlannedBooking, claimId: string) {
  const values = newValues(row, booking, slot);
  const event = bookingEvent({ type: 'booking.created', row, previous: null, actor: 'owner' });
  const hex = (bytes: Buffer | null) => bytes?.toString('hex') ?? null;
  return {
    reference: row.reference,
    claim_id: claimId,
    service_id: row.service_id,
    location_id: row.location_id,
    specialist_id: row.specialist_id,
    starts_at: row.starts_at,
    ends_at: row.ends_at,
    time_zone: row.time_zone,
    date: row.date,
    start_time: row.start_time,
    end_date: row.end_date,
    end_time: row.end_time,
    zone_rules: values.zoneRules,
    cutoff: row.cancellation_cutoff_minutes,
    price_amount: row.price_amount,
    price_currency: row.price_currency,
    external_reference: row.external_reference,
    consent_source: row.consent_source,
    customer_name: hex(values.customerName),
    customer_phone: hex(values.customerPhone),
    customer_email: hex(values.customerEmail),
    note: hex(values.note),
    phone_hash: hex(values.phoneHash),
    name_hashes: values.nameHashes.map((hash) => hash.toString('hex')),
    event_id: event.id,
    payload: event.payload,
  };
}
