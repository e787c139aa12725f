import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache/changes';
import { systemClock } from '@/lib/platform/clock';
import { type Db, db } from '@/lib/platform/db';
import { exclusiveTenantLock, takeLock } from '@/lib/platform/locks';
import type { Counts } from '../backup/format';
import { withClient } from '../environment/connection';
import { countedDelete, eraseRows } from './erase';
import { notifyPolicies } from './notify';
import { TENANT_TABLES } from './tables';

/**
 * Milliseconds between the end of all access to a tenant and the deletion of its first row. Without this wait, requests
 * that are still running could read a half-deleted tenant. Servers drop their cached policies within a second. A write
 * that a server has already accepted takes at most eight more seconds, and its log entry at most one more second.
 */
export const SETTLE = 15_000;

/** Timeouts in milliseconds of the transactions that begin and finish a deletion. */
const TIMEOUT = { maxWait: 10_000, timeout: 60_000 };

type Options = {
  say?: (line: string) => void;
  signal?: AbortSignal;
  settle?: number;
  batch?: number;
  /** Called after each batch. */
  onBatch?: () => void;
};

/** A finished deletion. `again` is true if an earlier call had already finished the deletion. */
export type Deletion = { name: string; finishedAt: Date; rows: Counts; again: boolean };

/**
 * Deletes a suspended tenant and all its data. Also deletes its accounts, except those to which another tenant refers.
 * The first transaction ends all access: it removes keys, memberships, and invitations. Then the data is deleted in
 * small transactions, and finally the tenant itself. A row in `tenant_deletions` remains. The call can be interrupted
 * at any time and repeated, even by another process.
 * @param databaseUrl a URL that leads to PostgreSQL itself, not to a connection pooler.
 * @param confirm the tenant's name.
 * @throws AppError not_found if there is no such tenant; invalid_request for `confirm` if it is not the tenant's name,
 *   or for `tenant` if the tenant is not suspended.
 */
export async function deleteTenant(
  now: Date,
  databaseUrl: string,
  { tenantId, confirm }: { tenantId: string; confirm: string },
  { say = () => {}, settle = SETTLE, signal, batch, onBatch }: Options = {},
): Promise<Deletion> {
  const begun = await db().$transaction((tx) => begin(tx, now, tenantId, confirm), TIMEOUT);
  if (begun.finishedAt) return { ...begun, finishedAt: begun.finishedAt, again: true };
  const wait = Math.min(settle, begun.beganAt.getTime() + settle - systemClock().getTime());
  if (wait > 0) {
    say(`Nobody has access to ${begun.name} anymore. Waiting ${Math.ceil(wait / 1000)} s for running requests …`);
    await delay(wait, undefined, { signal });
  }
  return withClient(databaseUrl, async (client) => {
    await eraseRows(client, tenantId, { say, signal, batch, onBatch });
    return { name: begun.name, again: false, ...(await finishDeletion(client, tenantId)) };
  });
}

type Begun = { name: string; beganAt: Date; finishedAt: Date | null; rows: Counts };

/** Ends all access to the tenant, unless an earlier call has done so. Returns the record of the deletion. */
async function begin(tx: Db, now: Date, tenantId: string, confirm: string): Promise<Begun> {
  // Waits for running writes. Later writes wait for this transaction.
  await takeLock(tx, exclusiveTenantLock(tenantId));
  await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR UPDATE`;
  const tenant = await tx.tenant.findUnique({ where: { id: tenantId } });
  const earlier = await tx.tenantDeletion.findFirst({ where: { tenantId }, orderBy: { beganAt: 'desc' } });
  const name = tenant?.name ?? earlier?.name;
  if (name === undefined) throw notFound();
  if (confirm !== name)
    throw invalidField('confirm', 'must be the name of the tenant, as npm run tenant -- list shows it');
  // A deleted tenant can be imported again. The imported tenant has no `deletionBeganAt`. Its earlier deletion does not
  // count.
  if (earlier && (!tenant || tenant.deletionBeganAt)) return { ...earlier, rows: earlier.rows as Counts };
  if (!tenant?.suspendedAt) throw invalidField('tenant', 'is active: suspend it first');
  await tx.tenant.update({ where: { id: tenantId }, data: { deletionBeganAt: now } });
  await tx.$executeRawUnsafe(BEGIN, tenantId, name, now);
  await endAccess(tx, tenantId);
  return { name, beganAt: now, finishedAt: null, rows: {} };
}

const BEGIN = `
  INSERT INTO tenant_deletions (tenant_id, name, began_at, user_ids)
  SELECT $1, $2, $3::timestamptz, ARRAY(SELECT id FROM users WHERE ${TENANT_TABLES.get('users')?.('$1')} ORDER BY id)`;

/**
 * Deletes the tenant's keys, saved views, memberships, and invitations. Makes every server drop its cached policies and
 * its cached catalog of the tenant.
 */
async function endAccess(tx: Db, tenantId: string): Promise<void> {
  // Servers update API keys in the order of their ids. Locking the keys in the same order prevents deadlocks.
  await tx.$queryRaw`
    SELECT 1 FROM api_keys WHERE application_id IN (SELECT id FROM applications WHERE tenant_id = ${tenantId})
    ORDER BY id FOR UPDATE`;
  for (const table of ['api_keys', 'saved_views', 'memberships', 'invitations'])
    await tx.$executeRawUnsafe(countedDelete(table, '$1'), tenantId);
  await notifyPolicies(tx, tenantId);
  await markChanged(tx, 'catalog', tenantId);
}

// A transaction that adds a membership holds a lock on the account, because of the foreign key. LOCK_ACCOUNTS waits for
// such transactions. The next statement then sees the new memberships and does not delete their accounts.
const LOCK_ACCOUNTS = `
  SELECT FROM users WHERE id = ANY (ARRAY(SELECT unnest(user_ids) FROM tenant_deletions WHERE tenant_id = $1 AND finished_at IS NULL))
  ORDER BY id FOR UPDATE`;

// An account is kept if another tenant has a membership, an invitation, a sign-in, a refused call, or an audit
// entry that refers to it.
const UNREFERENCED = `
  id = ANY (ARRAY(SELECT unnest(user_ids) FROM tenant_deletions WHERE tenant_id = $1 AND finished_at IS NULL))
  AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM invitations WHERE invited_by_id = users.id)
  AND NOT EXISTS (SELECT FROM sign_ins WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM refused_calls WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM tenants t WHERE t.id <> $1 AND (
    EXISTS (SELECT FROM audit_log a WHERE a.tenant_id = t.id AND a.actor_id = users.id)
    OR EXISTS (SELECT FROM audit_log a WHERE a.tenant_id = t.id AND a.object_id = users.id)))`;

/**
 * Deletes the accounts, the audit entries that were added during the deletion, and the tenant itself, and records that
 * the deletion has finished.
 */
async function finishDeletion(client: pg.Client, tenantId: string): Promise<{ finishedAt: Date; rows: Counts }> {
  await client.query('BEGIN');
  await client.query(LOCK_ACCOUNTS, [tenantId]);
  await client.query(countedDelete('users', '$1', UNREFERENCED), [tenantId]);
  for (const table of ['audit_log', 'tenants']) await client.query(countedDelete(table, '$1'), [tenantId]);
  await client.query(
    `UPDATE tenant_deletions SET user_ids = '{}', finished_at = greatest(began_at, clock_timestamp())
     WHERE tenant_id = $1 AND finished_at IS NULL`,
    [tenantId],
  );
  await client.query('COMMIT');
  // Another process may have finished the deletion first, so the result is read from `tenant_deletions`.
  const { rows } = await client.query<{ finished_at: Date; rows: Counts }>(
    'SELECT finished_at, rows FROM tenant_deletions WHERE tenant_id = $1 ORDER BY began_at DESC LIMIT 1',
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error('The record of the deletion is missing.');
  return { finishedAt: row.finished_at, rows: row.rows };
}
