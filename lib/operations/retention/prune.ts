import { db, pool } from '@/lib/platform/db';
import { activeSql } from '@/lib/webhooks/active';
import { isBusy } from '../retry-job';
import { CLAIM_DAYS, removeSeats } from './claims';
import { anonymizeContacts } from './contacts';
import { DELETE_ENTRIES, DELETE_UNKNOWN_ENTRIES, dropOldPartitions } from './request-log';
import { daysBefore } from './settings';

/**
 * Maximum number of rows per batch. Each batch is one transaction, so this maximum limits how long a batch holds its
 * locks.
 */
const BATCH = 1_000;
/** Maximum number of batches per run and kind of data. If rows are left, the next run continues. */
const MAX_BATCHES = 50;
/**
 * Limits for log entries that are deleted in batches, because their partitions cannot be dropped. `LOG_BATCH` is the
 * maximum number of entries per batch. `MAX_LOG_BATCHES` is the maximum number of batches per run and tenant.
 */
const LOG_BATCH = 5_000;
const MAX_LOG_BATCHES = 200;

/** Minimum number of days for which a held delivery is kept (contract B11). */
export const HELD_DAYS = 30;
/**
 * Number of days for which sessions and invitations are kept after they have expired. Log entries without a tenant are
 * kept for as many days.
 */
export const FIXED_DAYS = 30;
/** Number of days for which sign-ins and refused calls are kept. A trigger refuses to delete them much earlier. */
export const SIGN_IN_DAYS = 90;

/** The number of rows that a run removed, by kind of data. `more` states whether the run left rows for the next run. */
export type Pruned = {
  /** The number of dropped partitions of the request log. Each partition contains the entries of one day. */
  request_log_days: number;
  /** The number of log entries deleted in batches. Entries of dropped partitions are not counted. */
  request_lines: number;
  /** The number of rows deleted from the table `request_counts`, which contains the number of requests per hour. */
  request_counts: number;
  contacts: number;
  /** The number of past bookings whose seats were removed from their claims. */
  seats: number;
  deliveries: number;
  events: number;
  idempotency_keys: number;
  sessions: number;
  invitations: number;
  second_steps: number;
  sign_ins: number;
  refused_calls: number;
  more: boolean;
};

type Options = { batch?: number; maxBatches?: number };

/**
 * Removes data whose retention has ended. The tenant's settings define the retention of log entries, contacts,
 * deliveries, and events. The retention of all other data is fixed. Data is removed in batches, each in its own
 * transaction. The function can therefore be interrupted and repeated at any time, and several processes can run it at
 * the same time. If other transactions hold a tenant's locks for too long, the steps that need these locks are skipped
 * for this tenant.
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
    idempotency_keys: 0,
    sessions: 0,
    invitations: 0,
    second_steps: 0,
    sign_ins: 0,
    refused_calls: 0,
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

// The statements below skip locked rows. A locked row is either in use or being deleted by another process.

const COUNTS = `
  DELETE FROM request_counts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM request_counts WHERE tenant_id = $1 AND hour < $2 LIMIT $3 FOR UPDATE SKIP LOCKED))`;

// Deletes only deliveries. Events have a separate retention, because events record the versions of a booking. A
// delivery is skipped while a manual attempt is requested or an attempt is running.
const FINISHED = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE tenant_id = $1 AND finished_at < $2 AND manual_requested_at IS NULL
      AND (leased_until IS NULL OR leased_until <= $3)
    ORDER BY finished_at LIMIT $4 FOR UPDATE SKIP LOCKED)`;

// Deletes old deliveries that are still pending because their endpoint is not active. If the endpoint is active,
// deliveries end long before they are that old.
const HELD = `
  DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      JOIN deliveries d ON d.application_id = e.application_id
    WHERE e.tenant_id = $1 AND NOT (${activeSql('e', 'a')}) AND d.state = 'pending' AND d.created_at < $2
      AND (d.leased_until IS NULL OR d.leased_until <= $3)
    LIMIT $4 FOR UPDATE OF d SKIP LOCKED)`;

// An event that still has deliveries is kept, because deleting the event would also delete its deliveries. An event can
// be much older than the appointment of its booking. It is kept until the appointment is old enough too.
const EVENTS = `
  DELETE FROM events WHERE id IN (
    SELECT v.id FROM events v LEFT JOIN bookings b ON b.reference = v.booking_reference
    WHERE v.tenant_id = $1 AND v.at < $2 AND (b.reference IS NULL OR b.ends_at < $2)
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = v.id)
    ORDER BY v.at LIMIT $3 FOR UPDATE OF v SKIP LOCKED)`;

const KEYS = `
  DELETE FROM idempotency_keys WHERE (application_id, key_hash) IN (
    SELECT application_id, key_hash FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SESSIONS = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// Accepted invitations are deleted too, because the audit log records each acceptance.
const INVITATIONS = `
  DELETE FROM invitations WHERE id IN (
    SELECT id FROM invitations WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SIGN_INS = `
  DELETE FROM sign_ins WHERE id IN (
    SELECT id FROM sign_ins WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const REFUSED_CALLS = `
  DELETE FROM refused_calls WHERE id IN (
    SELECT id FROM refused_calls WHERE at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SECOND_STEPS = `
  DELETE FROM second_steps WHERE id IN (
    SELECT id FROM second_steps WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;
