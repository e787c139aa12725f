import { recordInWrite } from '@/lib/activity/audit/record';
import { pool } from '@/lib/platform/db';
import { derivedId } from '@/lib/platform/ids';
import { bind, param, statement } from '@/lib/platform/sql';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import type { BookingRow } from '../bookings/booking';
import { bookingEvent, emitEvents } from '../bookings/change';
import { BOOKING_COLUMNS } from '../bookings/statements';
import { anonymizeBookings } from '../idempotency/anonymize';
import { type Counts, type FoundBy, NO_COUNTS } from './erasure';

/** Bookings of one transaction, which limits how long it holds their locks. A kill loses at most one. */
const BATCH = 50;
/** Maximum number of erasures in one run. The next run finds the others. */
const MAX_ERASURES = 100;

const TYPE = 'booking.anonymized';

type Running = { id: string; tenant_id: string };

const RUNNING = statement<Running>('erasures-running')`
  SELECT id, tenant_id FROM erasures WHERE state = 'running' ORDER BY created_at, id LIMIT ${MAX_ERASURES}`;

/**
 * Continues the erasures that are running, in transactions of 50 bookings. Each transaction removes the data, counts it, and
 * inserts the events for the partners, or does nothing of this. So it can be interrupted and repeated at any time, by several
 * processes at once. Returns the number of erasures that are done.
 * @throws the first error of an erasure, after the others
 */
export async function runErasures(now: Date, signal?: AbortSignal): Promise<number> {
  const { rows } = await pool().query<Running>(bind(RUNNING, {}));
  let done = 0;
  const failures: unknown[] = [];
  for (const erasure of rows)
    try {
      for (let more = true; more && !signal?.aborted; ) {
        const result = await continueErasure(now, erasure);
        if (result === 'done') done += 1;
        more = result === 'more';
      }
    } catch (error) {
      // Others must not wait for a tenant that is busy.
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
  return done;
}

/** The state of an erasure after one transaction: `busy` if another process continues it. */
export function continueErasure(now: Date, { id, tenant_id: tenantId }: Running): Promise<'more' | 'done' | 'busy'> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [erasure] = await tx.query(LOCK_RUNNING, { id, tenantId });
    if (!erasure) return 'busy';
    const due = (await tx.query(DUE, { id, tenantId })).map(({ reference }) => reference);
    if (due.length > 0) {
      const counts = sum(erasure.counts, await eraseBookings(tx, now, erasure, due));
      await tx.query(SET_ERASED, { id, tenantId, references: due, now, counts: JSON.stringify(counts) });
      return 'more';
    }
    await tx.query(SET_DONE, { id, tenantId, now });
    await recordDone(tx, now, erasure);
    return 'done';
  });
}

type Erasure = Running & {
  found_by: FoundBy;
  requested_by_id: string;
  bookings: number;
  counts: Partial<Counts>;
  created_at: Date;
};

const LOCK_RUNNING = statement<Erasure>('erasure-lock')`
  SELECT id, tenant_id, found_by, requested_by_id, bookings, counts, created_at FROM erasures
  WHERE id = ${param.text('id')} AND tenant_id = ${param.text('tenantId')} AND state = 'running'
  FOR NO KEY UPDATE SKIP LOCKED`;

const DUE = statement<{ reference: string }>('erasure-due')`
  SELECT reference FROM erasure_bookings
  WHERE erasure_id = ${param.text('id')} AND tenant_id = ${param.text('tenantId')} AND erased_at IS NULL
  ORDER BY reference LIMIT ${BATCH}`;

const SET_ERASED = statement<never>('erasure-set-erased')`
  WITH erased AS (
    UPDATE erasure_bookings SET erased_at = ${param.timestamptz('now')}
    WHERE erasure_id = ${param.text('id')} AND tenant_id = ${param.text('tenantId')}
      AND reference = ANY(${param.texts('references')}))
  UPDATE erasures SET counts = ${param.jsonb('counts')}
  WHERE id = ${param.text('id')} AND tenant_id = ${param.text('tenantId')}`;

const SET_DONE = statement<never>('erasure-set-done')`
  UPDATE erasures SET state = 'done', finished_at = ${param.timestamptz('now')}
  WHERE id = ${param.text('id')} AND tenant_id = ${param.text('tenantId')}`;

type HashedRow = BookingRow & { has_phone_hash: boolean; hashed_words: number };

const LOCK_BOOKINGS = statement<HashedRow>('erasure-lock-bookings')`
  SELECT ${BOOKING_COLUMNS}, b.phone_hash IS NOT NULL AS has_phone_hash, coalesce(cardinality(b.name_hashes), 0) AS hashed_words
  FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY(${param.texts('references')})
  ORDER BY b.reference FOR NO KEY UPDATE OF b`;

// What a partner's server answered to events about the bookings is not known, so it can contain anything.
const ERASE_ANSWERS = statement<{ count: number }>('erasure-answers')`
  WITH erased AS (
    UPDATE delivery_attempts t SET answer = NULL
    FROM events v JOIN deliveries d ON d.event_id = v.id
    WHERE v.tenant_id = ${param.text('tenantId')} AND v.booking_reference = ANY(${param.texts('references')})
      AND t.delivery_id = d.id AND t.answer IS NOT NULL
    RETURNING 1)
  SELECT count(*)::int AS count FROM erased`;

async function eraseBookings(tx: WriteTx, now: Date, erasure: Erasure, due: string[]): Promise<Counts> {
  const { tenant_id: tenantId } = erasure;
  const rows = await tx.query(LOCK_BOOKINGS, { tenantId, references: due });
  const references = rows.map(({ reference }) => reference);
  const responses = await anonymizeBookings(tx, references);
  const [answers] = await tx.query(ERASE_ANSWERS, { tenantId, references });
  // A booking whose customer was gone before, such as after its retention, is no news.
  const withCustomer = rows.filter(({ customer_name }) => customer_name);
  const events = await tellPartners(tx, now, erasure, withCustomer);
  const having = (has: (row: HashedRow) => unknown) => rows.filter(has).length;
  return {
    contacts: withCustomer.length,
    emails: having(({ customer_email }) => customer_email),
    languages: having(({ customer_locale }) => customer_locale),
    notes: having(({ note }) => note),
    metadata: having(({ metadata }) => metadata),
    phone_hashes: having(({ has_phone_hash }) => has_phone_hash),
    name_hashes: rows.reduce((total, { hashed_words }) => total + hashed_words, 0),
    stored_responses: responses,
    webhook_answers: answers?.count ?? 0,
    events,
  };
}

/** Inserts the events for the applications that made the bookings. The business itself has none. Returns their number. */
async function tellPartners(
  tx: WriteTx,
  now: Date,
  { tenant_id: tenantId, created_at }: Erasure,
  rows: BookingRow[],
): Promise<number> {
  let told = 0;
  for (const applicationId of new Set(rows.flatMap(({ application_id }) => application_id ?? []))) {
    const ofApplication = rows.filter(({ application_id }) => application_id === applicationId);
    // A booking is anonymized once. The id states so to the primary key.
    const events = ofApplication.map((row) => {
      const anonymized = { id: derivedId('evt', tenantId, `${TYPE} ${row.reference}`, created_at), at: now };
      return bookingEvent({ type: TYPE, row, previous: null, actor: 'owner', anonymized });
    });
    await emitEvents(tx, { tenantId, applicationId, now, deliverAt: now }, events);
    told += events.length;
  }
  return told;
}

function sum(before: Partial<Counts>, added: Counts): Counts {
  const kinds = Object.entries(added) as [keyof Counts, number][];
  return Object.fromEntries(kinds.map(([kind, count]) => [kind, (before[kind] ?? 0) + count])) as Counts;
}

/** In the transaction that calls it done, with the counts of what was removed. */
async function recordDone(tx: WriteTx, now: Date, erasure: Erasure): Promise<void> {
  const { id, tenant_id: tenantId, requested_by_id, found_by, bookings, counts } = erasure;
  await recordInWrite(tx, now, {
    tenantId,
    actor: { kind: 'owner', id: requested_by_id, tenantId },
    action: 'customer.erased',
    object: { kind: 'erasure', id },
    after: { found_by, bookings, ...NO_COUNTS, ...counts },
  });
}
