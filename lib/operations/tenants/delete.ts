import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { markChanged } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { exclusiveTenantLock, takeLock } from '@/lib/platform/locks';
import type { Counts } from '../backup/format';
import { withClient } from '../environment/connection';
import { countedDelete, eraseRows } from './erase';
import { notifyPolicies } from './notify';
import { TENANT_TABLES } from './tables';

/**
 * Milliseconds between the end of all access and the deletion of the first row, so that no running request reads a
 * half-deleted tenant. Servers drop their cached policies within a second. An accepted write takes at most eight more
 * seconds, and its log entry at most one more.
 */
export const SETTLE = 15_000;

/** Milliseconds. */
const TIMEOUT = { maxWait: 10_000, timeout: 60_000 };

type Options = {
  say?: (line: string) => void;
  signal?: AbortSignal;
  settle?: number;
  batch?: number;
  onBatch?: () => void;
};

/** `again`: an earlier call had already finished the deletion. */
export type Deletion = { name: string; finishedAt: Date; rows: Counts; again: boolean };

/**
 * Deletes a suspended tenant with its data and the accounts that no other tenant needs. The first transaction ends all
 * access. The data is deleted in small transactions, and finally the tenant. A row in `tenant_deletions` remains. The
 * call can be interrupted at any time and repeated, even by another process. `databaseUrl` must not lead to a pooler,
 * and `confirm` must be the tenant's name.
 * @throws AppError not_found if there is no such tenant; invalid_request for `confirm`, or for `tenant` if it is not
 * suspended.
 */
export async function deleteTenant(
  now: Date,
  databaseUrl: string,
  { tenantId, confirm }: { tenantId: string; confirm: string },
  { say = () => {}, settle = SETTLE, signal, batch, onBatch }: Options = {},
): Promise<Deletion> {
  const begun = await db().$transaction((tx) => begin(tx, now, tenantId, confirm), TIMEOUT);
  if (begun.finishedAt) return { ...begun, finishedAt: begun.finishedAt, again: true };
  const wait = Math.min(settle, begun.beganAt.getTime() + settle - Date.now());
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
  // A tenant that was imported again has no `deletionBeganAt`. Its earlier deletion does not count.
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

/** Makes every server drop its cached policies and its cached catalog of the tenant. */
async function endAccess(tx: Db, tenantId: string): Promise<void> {
  // Servers update API keys in the order of their ids. The same order prevents deadlocks.
  await tx.$queryRaw`
    SELECT 1 FROM api_keys WHERE application_id IN (SELECT id FROM applications WHERE tenant_id = ${tenantId})
    ORDER BY id FOR UPDATE`;
  for (const table of [
    'api_keys',
    'saved_views',
    'member_locations',
    'remembered_locations',
    'memberships',
    'invitations',
  ])
    await tx.$executeRawUnsafe(countedDelete(table, '$1'), tenantId);
  await notifyPolicies(tx, tenantId);
  await markChanged(tx, 'catalog', tenantId);
}

// A transaction that adds a membership holds a lock on the account, because of the foreign key. The next statement sees
// the new membership and keeps the account.
const LOCK_ACCOUNTS = `
  SELECT FROM users WHERE id = ANY (ARRAY(SELECT unnest(user_ids) FROM tenant_deletions WHERE tenant_id = $1 AND finished_at IS NULL))
  ORDER BY id FOR UPDATE`;

// A membership, an invitation, a sign-in, a refused call, or an audit entry of another tenant keeps an account.
const UNREFERENCED = `
  id = ANY (ARRAY(SELECT unnest(user_ids) FROM tenant_deletions WHERE tenant_id = $1 AND finished_at IS NULL))
  AND NOT EXISTS (SELECT FROM memberships WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM invitations WHERE invited_by_id = users.id)
  AND NOT EXISTS (SELECT FROM sign_ins WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM refused_calls WHERE user_id = users.id)
  AND NOT EXISTS (SELECT FROM tenants t WHERE t.id <> $1 AND (
    EXISTS (SELECT FROM audit_log a WHERE a.tenant_id = t.id AND a.actor_id = users.id)
    OR EXISTS (SELECT FROM audit_log a WHERE a.tenant_id = t.id AND a.object_id = users.id)))`;

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
  // Another process may have finished the deletion first.
  const { rows } = await client.query<{ finished_at: Date; rows: Counts }>(
    'SELECT finished_at, rows FROM tenant_deletions WHERE tenant_id = $1 ORDER BY began_at DESC LIMIT 1',
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error('The record of the deletion is missing.');
  return { finishedAt: row.finished_at, rows: row.rows };
}
