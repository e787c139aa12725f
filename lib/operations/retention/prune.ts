import { recordInWrite } from '@/lib/activity/audit/record';
import { anonymizeBookings } from '@/lib/booking/idempotency/anonymize';
import { db, pool } from '@/lib/platform/db';
import type { Tenant } from '@/lib/platform/generated/prisma/client';
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
const LOG = { batch: 5_000, maxBatches: 200 };

/** Days, at least (contract B11). */
export const HELD_DAYS = 30;
/** Days after the expiry of sessions, mails, and invitations, and of log entries without a tenant. */
const FIXED_DAYS = 30;
/** Days for sign-ins and refused calls. A trigger refuses to delete them much earlier. */
const SIGN_IN_DAYS = 90;
/** Days for sequences of events. Partners may read 30 days (contract B16), and lists of changes begin 31 days ago. */
const SEQUENCE_DAYS = 32;
/** Days for which blocks are kept after their last day. Their reasons can name people. */
const BLOCK_DAYS = 90;
/** Days for which a removed calendar can be restored. */
const REMOVED_DAYS = 1;

/** Tables whose rows are deleted `days` days after `time`. */
export const EXPIRING = [
  { table: 'idempotency_keys', key: 'application_id, key_hash', time: 'expires_at', days: 0 },
  { table: 'sessions', key: 'id', time: 'expires_at', days: FIXED_DAYS },
  // The audit log records each acceptance.
  { table: 'invitations', key: 'id', time: 'expires_at', days: FIXED_DAYS },
  { table: 'second_steps', key: 'id', time: 'expires_at', days: 0 },
  // With their blocks.
  { table: 'calendars', key: 'id', time: 'removed_at', days: REMOVED_DAYS },
  // Deleted only when no other cause can be the same: the notices about a key end long before.
  { table: 'mails', key: 'id', time: 'expires_at', days: FIXED_DAYS },
  { table: 'password_links', key: 'token_hash', time: 'expires_at', days: 0 },
  { table: 'address_links', key: 'token_hash', time: 'expires_at', days: 0 },
  { table: 'sign_ins', key: 'id', time: 'at', days: SIGN_IN_DAYS },
  { table: 'refused_calls', key: 'id', time: 'at', days: SIGN_IN_DAYS },
] as const;

type Remove = (now: Date, tenant: Tenant, limit: number) => Promise<number>;

/** In this order: the rows of `deliveries` refer to those of `events`. A setting of null keeps rows forever. */
const OF_TENANT = [
  [
    'request_lines',
    (now, { id, requestLogDays }, limit) => remove(DELETE_ENTRIES, id, daysBefore(now, requestLogDays + 1), limit),
  ],
  [
    'request_counts',
    (now, { id, requestLogDays }, limit) => remove(COUNTS, id, daysBefore(now, requestLogDays + 1), limit),
  ],
  [
    'contacts',
    async (now, { id, contactDays }, limit) =>
      contactDays === null
        ? 0
        : anonymizeContacts(now, id, { before: daysBefore(now, contactDays), which: 'all' }, limit),
  ],
  ['contacts', (now, { id }, limit) => anonymizeContacts(now, id, { before: now, which: 'withdrawn' }, limit)],
  ['seats', (now, { id }, limit) => removeSeats(now, id, daysBefore(now, CLAIM_DAYS), limit)],
  ['deliveries', (now, { id, deliveryDays }, limit) => remove(FINISHED, id, daysBefore(now, deliveryDays), limit, now)],
  [
    'deliveries',
    (now, { id, deliveryDays }, limit) =>
      remove(HELD, id, daysBefore(now, Math.max(deliveryDays, HELD_DAYS)), limit, now),
  ],
  ['blocks', (now, { id }, limit) => remove(BLOCKS, id, daysBefore(now, BLOCK_DAYS), limit)],
  ['event_sequences', (now, { id }, limit) => remove(SEQUENCES, id, daysBefore(now, SEQUENCE_DAYS), limit)],
  ['slot_changes', (_, { id }, limit) => remove(SLOT_CHANGES, id, limit)],
  [
    'events',
    async (now, { id, historyDays }, limit) =>
      historyDays === null ? 0 : remove(EVENTS, id, daysBefore(now, historyDays), limit),
  ],
] as const satisfies readonly (readonly [string, Remove])[];

type Kind = (typeof OF_TENANT)[number][0] | (typeof EXPIRING)[number]['table'];

/**
 * The number of rows that a run removed, by kind of data, and of whole days of the request log. `more` states whether the
 * run left rows for the next run.
 */
export type Pruned = Record<Kind | 'request_log_days', number> & { more: boolean };

/**
 * Removes data whose retention has ended, in batches with a transaction each. It can be interrupted and repeated at any
 * time, by several processes at once. If a tenant's locks are held for too long, that step is skipped.
 * @throws AppError service_unavailable at the end of the run, if a tenant's steps were skipped.
 */
export async function prune(now: Date, given: { batch?: number; maxBatches?: number } = {}): Promise<Pruned> {
  const kinds: Kind[] = [...OF_TENANT.map(([kind]) => kind), ...EXPIRING.map(({ table }) => table)];
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  let more = false;
  let busy: unknown = null;
  const inBatches = async (kind: Kind, removeBatch: (limit: number) => Promise<number>) => {
    const own = kind === 'request_lines' ? LOG : { batch: BATCH, maxBatches: MAX_BATCHES };
    const { batch, maxBatches } = { ...own, ...given };
    for (let run = 0; run < maxBatches; run += 1) {
      const removed = await removeBatch(batch);
      counts[kind] += removed;
      if (removed < batch) return;
    }
    more = true;
  };
  const request_log_days = await dropOldPartitions(now);
  for (const tenant of await db().tenant.findMany({ orderBy: { id: 'asc' } }))
    for (const [kind, removeBatch] of OF_TENANT) {
      try {
        await inBatches(kind, (limit) => removeBatch(now, tenant, limit));
      } catch (error) {
        if (!isBusy(error)) throw error;
        busy ??= error;
      }
    }
  await inBatches('request_lines', (limit) => remove(DELETE_UNKNOWN_ENTRIES, daysBefore(now, FIXED_DAYS + 1), limit));
  for (const { table, key, time, days } of EXPIRING) {
    const sql = `
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table} WHERE ${time} < $1 ORDER BY ${time} LIMIT $2 FOR UPDATE SKIP LOCKED)`;
    await inBatches(table, (limit) => remove(sql, daysBefore(now, days), limit));
  }
  if (busy) throw busy;
  return { request_log_days, ...counts, more };
}

async function remove(text: string, ...values: unknown[]): Promise<number> {
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
      AND (leased_until IS NULL OR leased_until <= $4)
    ORDER BY finished_at LIMIT $3 FOR UPDATE SKIP LOCKED)`;

// Deliveries of an active endpoint end long before they are that old.
const HELD = `
  DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      JOIN deliveries d ON d.application_id = e.application_id
    WHERE e.tenant_id = $1 AND NOT (${activeSql('e', 'a')}) AND d.state = 'pending' AND d.created_at < $2
      AND (d.leased_until IS NULL OR d.leased_until <= $4)
    LIMIT $3 FOR UPDATE OF d SKIP LOCKED)`;

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

// A past block closes no time that can still be booked, so its deletion needs no lock of the tenant.
const BLOCKS = `
  DELETE FROM blocks WHERE id IN (
    SELECT id FROM blocks WHERE tenant_id = $1 AND last_day < $2::timestamptz::date LIMIT $3 FOR UPDATE SKIP LOCKED)`;

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
