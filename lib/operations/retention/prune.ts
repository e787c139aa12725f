import { db, pool } from '@/lib/platform/db';
import { activeSql } from '@/lib/webhooks/active';
import { anonymiseContacts } from './contacts';
import { daysBefore } from './settings';

/** Rows of one batch: one transaction holds no more, so nobody waits long for it. */
const BATCH = 1_000;
/** Batches of one kind in one run; the rest is for the next one. */
const MAX_BATCHES = 50;

/** Days that a held delivery is kept at least (contract B11), and lines and sessions that belong to no setting. */
const HELD_DAYS = 30;
const NOBODYS_DAYS = 30;

/** How much one run took away, and whether it left anything for the next. */
export type Pruned = {
  request_lines: number;
  contacts: number;
  deliveries: number;
  idempotency_keys: number;
  sessions: number;
  invitations: number;
  more: boolean;
};

type Options = { batch?: number; maxBatches?: number };

/**
 * Takes away what nobody need keep any longer, as each tenant's settings say: lines of the request log, guests'
 * contacts, finished deliveries; and for everybody idempotency keys that have expired, sessions and invitations long over. In
 * bounded batches, each its own transaction: it can be stopped at any moment, run again at once, and run by several
 * processes together, which share the rows instead of waiting for each other.
 */
export async function prune(now: Date, { batch = BATCH, maxBatches = MAX_BATCHES }: Options = {}): Promise<Pruned> {
  let more = false;
  const inBatches = async (take: (limit: number) => Promise<number>): Promise<number> => {
    let total = 0;
    for (let run = 0; run < maxBatches; run += 1) {
      const taken = await take(batch);
      total += taken;
      if (taken < batch) return total;
    }
    more = true;
    return total;
  };
  const pruned = { request_lines: 0, contacts: 0, deliveries: 0, idempotency_keys: 0, sessions: 0, invitations: 0 };
  const tenants = await db().tenant.findMany({ orderBy: { id: 'asc' } });
  for (const { id, requestLogDays, contactDays, deliveryDays } of tenants) {
    const lines = daysBefore(now, requestLogDays);
    pruned.request_lines += await inBatches((limit) => remove(LINES, [id, lines, limit]));
    if (contactDays !== null) {
      const visits = daysBefore(now, contactDays);
      pruned.contacts += await inBatches((limit) => anonymiseContacts(now, id, visits, limit));
    }
    const finished = daysBefore(now, deliveryDays);
    pruned.deliveries += await inBatches((limit) => remove(FINISHED, [id, finished, now, limit]));
    const held = daysBefore(now, Math.max(deliveryDays, HELD_DAYS));
    pruned.deliveries += await inBatches((limit) => remove(HELD, [id, held, now, limit]));
  }
  const old = daysBefore(now, NOBODYS_DAYS);
  pruned.request_lines += await inBatches((limit) => remove(NOBODYS_LINES, [old, limit]));
  pruned.idempotency_keys = await inBatches((limit) => remove(KEYS, [now, limit]));
  pruned.sessions = await inBatches((limit) => remove(SESSIONS, [old, limit]));
  pruned.invitations = await inBatches((limit) => remove(INVITATIONS, [old, limit]));
  return { ...pruned, more };
}

async function remove(text: string, values: unknown[]): Promise<number> {
  const { rowCount } = await pool().query(text, values);
  return rowCount ?? 0;
}

// SKIP LOCKED everywhere: what somebody else holds is theirs, or is being deleted already.

const LINES = `
  DELETE FROM request_log WHERE request_id IN (
    SELECT request_id FROM request_log WHERE tenant_id = $1 AND at < $2 ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED)`;

const NOBODYS_LINES = `
  DELETE FROM request_log WHERE request_id IN (
    SELECT request_id FROM request_log WHERE tenant_id IS NULL AND at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// The event stays: it is a version of the booking. An attempt that was asked for, or is under way, comes first.
const FINISHED = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE tenant_id = $1 AND finished_at < $2 AND manual_requested_at IS NULL
      AND (leased_until IS NULL OR leased_until <= $3)
    ORDER BY finished_at LIMIT $4 FOR UPDATE SKIP LOCKED)`;

// What waits for an endpoint that is not active. One that is finishes each delivery long before.
const HELD = `
  DELETE FROM deliveries WHERE id IN (
    SELECT d.id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      JOIN deliveries d ON d.application_id = e.application_id
    WHERE e.tenant_id = $1 AND NOT (${activeSql('e', 'a')}) AND d.state = 'pending' AND d.created_at < $2
      AND (d.leased_until IS NULL OR d.leased_until <= $3)
    LIMIT $4 FOR UPDATE OF d SKIP LOCKED)`;

const KEYS = `
  DELETE FROM idempotency_keys WHERE (application_id, key_hash) IN (
    SELECT application_id, key_hash FROM idempotency_keys WHERE expires_at <= $1
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const SESSIONS = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

// Who was invited and came is in the audit log.
const INVITATIONS = `
  DELETE FROM invitations WHERE id IN (
    SELECT id FROM invitations WHERE expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;
