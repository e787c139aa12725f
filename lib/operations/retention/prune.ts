import { recordInWrite } from '@/lib/activity/audit/record';
import { anonymizeBookings } from '@/lib/booking/customers/anonymize';
import { db, pool } from '@/lib/platform/db';
import { param, statement } from '@/lib/platform/sql';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { activeSql } from '@/lib/webhooks/active';
import { isBusy } from '../retry-job';
import { CLAIM_DAYS, removeSeats } from './claims';
import { DELETE_ENTRIES, DELETE_UNKNOWN_ENTRIES, dropOldPartitions } from './request-log';
import { daysBefore } from './settings';

/** Rows of one transaction, which limits how long it holds its locks. */
const BATCH = 1_000;
/** Per run and kind of data. The next run continues. */
const MAX_BATCHES = 50;
/** Entries per batch, and batches per run and tenant, for log entries whose partitions cannot be dropped. */
const LOG_BATCH = 5_000;
const MAX_LOG_BATCHES = 200;

/** Days, at least (contract B11). */
export const HELD_DAYS = 30;
/** Days after the expiry of sessions, mails, and invitations, and of log entries without a tenant. */
export const FIXED_DAYS = 30;
/** Days for sign-ins and refused calls. A trigger refuses to delete them much earlier. */
export const SIGN_IN_DAYS = 90;

/** Days for sequences of events. Partners may read 30 days (contract B16), and lists of changes begin 31 days ago. */
export const SEQUENCE_DAYS = 32;

/** Number of days for which blocks are kept after their last day. Their reasons can name people. */
export const BLOCK_DAYS = 90;

/** Number of days for which a removed calendar can be restored. */
export const REMOVED_DAYS = 1;

/** The number of rows that a run removed, by kind of data. `more` states whether the run left rows for the next run. */
export type Pruned = {
  /** Dropped partitions, of one day each. */
  request_log_days: number;
  /** Deleted in batches, without those of dropped partitions. */
  request_lines: number;
  /** Per hour. */
  request_counts: number;
  contacts: number;
  /** Past bookings whose seats were removed from their claims. */
  seats: number;
  deliveries: number;
  events: number;
  event_sequences: number;
  slot_changes: number;
  idempotency_keys: number;
  sessions: number;
  invitations: number;
  second_steps: number;
  sign_ins: number;
  refused_calls: number;
  blocks: number;
  calendars: number;
  mails: number;
  password_links: number;
  address_links: number;
  more: boolean;
};

type Options = { batch?: number; maxBatches?: number };

/**
 * Removes data whose retention has ended, in batches with a transaction each. It can be interrupted and repeated at any
 * time, by several processes at once. If a tenant's locks are held for too long, its steps are skipped.
 * @throws AppError service_unavailable at the end of the run, if a tenant's steps were skipped.
 */
export async function prune(now: Date, options: Options = {}): Promise<Pruned> {
  let more = false;
  let busy: unknown = null;
  const batches = async (
    { batch, maxBatches }: Required<Options>,
    removeBatch: (limit: number) => Promise<number>,
  ): Promise<number> => {
    let total = 0;
    for (let run = 0; run < maxBatches; run += 1) {
      const removed = await removeBatch(batch);
      total += removed;
      if (removed < batch) return total;
    }
    more = true;
    return total;
  };
  const inBatches = (removeBatch: (limit: number) => Promise<number>) =>
    batches({ batch: BATCH, maxBatches: MAX_BATCHES, ...options }, removeBatch);
  const entriesInBatches = (removeBatch: (limit: number) => Promise<number>) =>
    batches({ batch: LOG_BATCH, maxBatches: MAX_LOG_BATCHES, ...options }, removeBatch);
  const days = await dropOldPartitions(now);
  const pruned = {
    request_lines: 0,
    request_counts: 0,
    contacts: 0,
    seats: 0,
    deliveries: 0,
    events: 0,
    event_sequences: 0,
    slot_changes: 0,
    idempotency_keys: 0,
    sessions: 0,
    invitations: 0,
    second_steps: 0,
    sign_ins: 0,
    refused_calls: 0,
    blocks: 0,
    calendars: 0,
    mails: 0,
    password_links: 0,
    address_links: 0,
  };
  const tenants = await db().tenant.findMany({ orderBy: { id: 'asc' } });
  for (const { id, requestLogDays, contactDays, deliveryDays, historyDays } of tenants) {
    const lines = daysBefore(now, requestLogDays + 1);
    pruned.request_lines += await entriesInBatches((limit) => remove(DELETE_ENTRIES, [id, lines, limit]));
    pruned.request_counts += await inBatches((limit) => remove(COUNTS, [id, lines, limit]));
    try {
      if (contactDays !== null) {
        const visits = daysBefore(now, contactDays);
        pruned.contacts += await inBatches((limit) =>
          anonymizeContacts(now, id, { before: visits, which: 'all' }, limit),
        );
      }
      const withdrawn = { before: now, which: 'withdrawn' } as const;
      pruned.contacts += await inBatches((limit) => anonymizeContacts(now, id, withdrawn, limit));
      const ended = daysBefore(now, CLAIM_DAYS);
      pruned.seats += await inBatches((limit) => removeSeats(now, id, ended, limit));
    } catch (error) {
      if (!isBusy(error)) throw error;
      busy ??= error;
    }
    const finished = daysBefore(now, deliveryDays);
    pruned.deliveries += await inBatches((limit) => remove(FINISHED, [id, finished, now, limit]));
    const held = daysBefore(now, Math.max(deliveryDays, HELD_DAYS));
    pruned.deliveries += await inBatches((limit) => remove(HELD, [id, held, now, limit]));
    pruned.blocks += await inBatches((limit) => remove(BLOCKS, [id, daysBefore(now, BLOCK_DAYS), limit]));
    pruned.event_sequences += await inBatches((limit) =>
      remove(SEQUENCES, [id, daysBefore(now, SEQUENCE_DAYS), limit]),
    );
    pruned.slot_changes += await inBatches((limit) => remove(SLOT_CHANGES, [id, limit]));
    if (historyDays !== null) {
      const visits = daysBefore(now, historyDays);
      pruned.events += await inBatches((limit) => remove(EVENTS, [id, visits, limit]));
    }
  }
  const old = daysBefore(now, FIXED_DAYS);
  pruned.request_lines += await entriesInBatches((limit) =>
    remove(DELETE_UNKNOWN_ENTRIES, [daysBefore(now, FIXED_DAYS + 1), limit]),
  );
  pruned.idempotency_keys = await inBatches((limit) => remove(KEYS, [now, limit]));
  pruned.sessions = await inBatches((limit) => remove(SESSIONS, [old, limit]));
  pruned.invitations = await inBatches((limit) => remove(INVITATIONS, [old, limit]));
  pruned.second_steps = await inBatches((limit) => remove(SECOND_STEPS, [now, limit]));
  pruned.calendars = await inBatches((limit) => remove(CALENDARS, [daysBefore(now, REMOVED_DAYS), limit]));
  pruned.mails = await inBatches((limit) => remove(MAILS, [old, limit]));
  pruned.password_links = await inBatches((limit) => remove(PASSWORD_LINKS, [now, limit]));
  pruned.address_links = await inBatches((limit) => remove(ADDRESS_LINKS, [now, limit]));
  const attempts = daysBefore(now, SIGN_IN_DAYS);
  pruned.sign_ins = await inBatches((limit) => remove(SIGN_INS, [attempts, limit]));
  pruned.refused_calls = await inBatches((limit) => remove(REFUSED_CALLS, [attempts, limit]));
  if (busy) throw busy;
  return { request_log_days: days, ...pruned, more };
}

async function remove(text: string, values: unknown[]): Promise<number> {
  const { rowCount } = await pool().query(text, values);
  return rowCount ?? 0;
}

// A locked row is either in use or being deleted by another process, so it is skipped.

const COUNTS = `
  DELETE FROM request_counts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM request_counts WHERE tenant_id = $1 AND hour < $2 LIMIT $3 FOR UPDATE SKIP LOCKED))`;

// Not events, which record the versions of a booking. A delivery with a requested or running attempt is skipped.
const FINISHED = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE tenant_id = $1 AND finished_at < $2 AND manual_requested_at IS NULL
      AND (leased_until IS NULL OR leased_until <= $3)
    ORDER BY finished_at LIMIT $4 FOR UPDATE SKIP LOCKED)`;

// Deliveries of an active endpoint end long before they are that old.
const HELD = `
  DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      JOIN deliveries d ON d.application_id = e.application_id
    WHERE e.tenant_id = $1 AND NOT (${activeSql('e', 'a')}) AND d.state = 'pending' AND d.created_at < $2
      AND (d.leased_until IS NULL OR d.leased_until <= $3)
    LIMIT $4 FOR UPDATE OF d SKIP LOCKED)`;

// Deleting an event would also delete its deliveries. It is kept until the appointment of its booking is old enough
// too.
const EVENTS = `
  DELETE FROM events WHERE id IN (
    SELECT v.id FROM events v LEFT JOIN bookings b ON b.reference = v.booking_reference
    WHERE v.tenant_id = $1 AND v.at < $2 AND (b.reference IS NULL OR b.ends_at < $2)
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = v.id)
    ORDER BY v.at LIMIT $3 FOR UPDATE OF v SKIP LOCKED)`;

// The oldest first and without SKIP LOCKED, so that those of an application that remain have no gap. Their times never fall.
// A thin event tells nothing of a booking, so it is not kept longer.
const SEQUENCES = `
  WITH gone AS (
    DELETE FROM event_sequences WHERE (application_id, sequence) IN (
      SELECT old.application_id, old.sequence FROM applications a CROSS JOIN LATERAL (
        SELECT s.application_id, s.sequence FROM event_sequences s
        WHERE s.application_id = a.id AND s.committed_at < $2 ORDER BY s.sequence LIMIT $3) AS old
      WHERE a.tenant_id = $1 ORDER BY old.application_id, old.sequence LIMIT $3)
    RETURNING event_id),
  thin AS (
    DELETE FROM events WHERE id IN (SELECT event_id FROM gone) AND type IN ('availability.changed', 'catalog.changed'))
  SELECT FROM gone`;

// Of writes that ran when the last watch ended. A range of the primary key, as when the queue is emptied.
const SLOT_CHANGES = `
  DELETE FROM slot_changes WHERE tenant_id = $1 AND NOT EXISTS (SELECT FROM change_watches w WHERE w.tenant_id = $1)
    AND id <= coalesce((SELECT id FROM slot_changes WHERE tenant_id = $1 ORDER BY id OFFSET $2::bigint - 1 LIMIT 1),
      'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`;

const KEYS = `
  DELETE FROM idempotency_keys WHERE (application_id, key_hash) IN (
    SELECT application_id, key_hash FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SESSIONS = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// The audit log records each acceptance.
const INVITATIONS = `
  DELETE FROM invitations WHERE id IN (
    SELECT id FROM invitations WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// Deleted only when no other cause can be the same: the notices about a key end long before.
const MAILS = `
  DELETE FROM mails WHERE id IN (
    SELECT id FROM mails WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const PASSWORD_LINKS = `
  DELETE FROM password_links WHERE token_hash IN (
    SELECT token_hash FROM password_links WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const ADDRESS_LINKS = `
  DELETE FROM address_links WHERE token_hash IN (
    SELECT token_hash FROM address_links WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SIGN_INS = `
  DELETE FROM sign_ins WHERE id IN (
    SELECT id FROM sign_ins WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const REFUSED_CALLS = `
  DELETE FROM refused_calls WHERE id IN (
    SELECT id FROM refused_calls WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// A past block closes no time that can still be booked, so its deletion needs no lock of the tenant.
const BLOCKS = `
  DELETE FROM blocks WHERE id IN (
    SELECT id FROM blocks WHERE tenant_id = $1 AND last_day < $2::timestamptz::date LIMIT $3 FOR UPDATE SKIP LOCKED)`;

// With their blocks.
const CALENDARS = `
  DELETE FROM calendars WHERE id IN (
    SELECT id FROM calendars WHERE removed_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SECOND_STEPS = `
  DELETE FROM second_steps WHERE id IN (
    SELECT id FROM second_steps WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// SKIP LOCKED lets two processes share the work.
const DUE = statement<{ reference: string }>('retention-contacts-due')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND ends_at < ${param.timestamptz('before')}
    AND customer_name IS NOT NULL
  ORDER BY ends_at LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE SKIP LOCKED`;

const WITHDRAWN = statement<{ reference: string }>('retention-contacts-withdrawn')`
  SELECT reference FROM bookings
  WHERE tenant_id = ${param.text('tenantId')} AND ends_at < ${param.timestamptz('before')}
    AND consent_withdrawn_at IS NOT NULL AND customer_name IS NOT NULL
  ORDER BY ends_at LIMIT ${param.bigint('limit')} FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Anonymizes up to `limit` contacts of bookings that ended before `before`, also in the responses that are stored for
 * replays (contract B8). Returns their number. `which` selects all, or those with withdrawn consent. The versions of
 * the bookings do not change (contract B7).
 */
async function anonymizeContacts(
  now: Date,
  tenantId: string,
  { before, which }: { before: Date; which: 'all' | 'withdrawn' },
  limit: number,
): Promise<number> {
  return writeTransaction(beginBudget(), tenantId, async (tx) => {
    const due = await tx.query(which === 'all' ? DUE : WITHDRAWN, { tenantId, before, limit });
    if (due.length === 0) return 0;
    const references = due.map(({ reference }) => reference);
    await anonymizeBookings(tx, references);
    await recordInWrite(tx, now, {
      tenantId,
      actor: { kind: 'system' },
      action: 'contacts.anonymised',
      object: { kind: 'tenant', id: tenantId },
      after: { bookings: references.length, visits_before: before.toISOString() },
    });
    return references.length;
  });
}
