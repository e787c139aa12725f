import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteOwner } from '@/lib/operations/tenants/add';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { exportTenant } from '@/lib/operations/tenants/export';
import { listDeletions, listTenants } from '@/lib/operations/tenants/list';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { newId } from '@/lib/platform/ids';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { id } from '../database/row';
import { FORMER_OF_BOTH, fillTenants, SHARED_USER, TENANT } from './world';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
  await fillTenants(database);
});

afterAll(() => database.drop());

const NAME = 'A';
const erase = (options: Parameters<typeof deleteTenant>[3] = {}, confirm = NAME, tenantId = TENANT) =>
  deleteTenant(new Date(), database.url, { tenantId, confirm }, { settle: 0, ...options });

/** Returns the rows of every table as text, except the list of migrations and the record of deletions. */
async function rowsByTable(): Promise<Record<string, string[]>> {
  const { rows: tables } = await database.query(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name NOT IN ('_prisma_migrations', 'tenant_deletions')`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const { rows } = await database.query(`SELECT t::text AS row FROM "${name}" t ORDER BY 1`);
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

/** Returns all ids in the rows of a tenant, except the ids of accounts to which another tenant refers too. */
async function idsOf(tenantId: string): Promise<string[]> {
  const path = join(await mkdtemp(join(tmpdir(), 'delete-')), 'export.gz');
  await exportTenant(new Date(), database.url, { tenantId, path, readable: false }, AbortSignal.timeout(60_000));
  const text = gunzipSync(await readFile(path)).toString();
  await rm(dirname(path), { recursive: true });
  const ids = new Set(text.slice(text.indexOf('\n')).match(/\b[a-z]{3}_[0-7][0-9a-z]{25}\b/g));
  return [...ids].filter((found) => found !== SHARED_USER && found !== FORMER_OF_BOTH);
}

const refused = (path: string, message: RegExp) => ({ fields: [{ path, message: expect.stringMatching(message) }] });

test('refuses an active tenant, another name, and an unknown tenant, and changes nothing', async () => {
  const before = await rowsByTable();
  await expect(erase()).rejects.toMatchObject(refused('tenant', /suspend it first/));
  for (const confirm of ['', 'a', 'A ', 'Å', "A'; DROP TABLE tenants; --", TENANT])
    await expect(erase({}, confirm)).rejects.toMatchObject(refused('confirm', /^must be the name of the tenant/));
  await expect(erase({}, NAME, newId('ten'))).rejects.toMatchObject({ code: 'not_found' });
  await expect(erase({}, NAME, "x'; DROP TABLE tenants; --")).rejects.toMatchObject({ code: 'not_found' });
  expect(await rowsByTable()).toEqual(before);
  expect(await listDeletions('')).toEqual({ deletions: [], more: false });
});

/**
 * Deletes the tenant, but fails after batch number `last`. The database is then as a killed process would leave it.
 * Returns the result of the deletion, or null if it failed.
 */
async function interruptedAt(last: number) {
  let batches = 0;
  const onBatch = () => {
    batches += 1;
    if (batches === last) throw new Error('interrupted');
  };
  return erase({ batch: 1, onBatch }).catch((error: Error) => {
    expect(error.message).toBe('interrupted');
    return null;
  });
}

let before: Record<string, string[]> = {};
let ids: string[] = [];

test('nothing else can be done with a tenant whose deletion has begun', async () => {
  await setTenantSuspended(new Date(), TENANT, true);
  ids = await idsOf(TENANT);
  before = await rowsByTable();
  expect(await interruptedAt(1)).toBe(null);
  const unfinished = { tenants: expect.arrayContaining([expect.objectContaining({ id: TENANT, deleting: true })]) };
  expect(await listTenants('')).toMatchObject(unfinished);
  const refusals = [
    () => setTenantSuspended(new Date(), TENANT, false),
    () => inviteOwner(new Date(), TENANT, 'a@b.example'),
    () => idsOf(TENANT),
  ];
  for (const refusal of refusals) await expect(refusal()).rejects.toMatchObject(refused('tenant', /^is being deleted/));
  const resume = database.query('UPDATE tenants SET suspended_at = NULL WHERE id = $1', [TENANT]);
  await expect(resume).rejects.toMatchObject({ constraint: 'tenants_deletion' });
});

test('deletes every row that refers to the tenant and no other, wherever it is interrupted', async () => {
  let attempts = 2;
  while ((await interruptedAt(attempts)) === null) attempts += 1;
  expect(attempts).toBeGreaterThan(5);
  const after = await rowsByTable();
  const refers = (row: string) => ids.some((found) => row.includes(found));
  for (const [table, rows] of Object.entries(before)) {
    expect([table, after[table]]).toEqual([table, rows.filter((row) => !refers(row))]);
    if (TENANT_TABLES.has(table))
      expect([table, rows.some(refers), after[table]?.length]).not.toEqual([table, false, 0]);
  }
});

test('keeps the accounts to which another tenant refers, and leaves a record without personal data', async () => {
  const { rows: users } = await database.query('SELECT id FROM users ORDER BY id');
  expect(users.map((user) => user.id)).toEqual([FORMER_OF_BOTH, id('usr', 5), id('usr', 6), SHARED_USER]);
  const { deletions } = await listDeletions('a');
  expect(deletions).toMatchObject([{ tenant_id: TENANT, name: NAME, finished_at: expect.any(Date) }]);
  const { rows } = await database.query('SELECT rows, user_ids FROM tenant_deletions');
  expect(rows).toMatchObject([
    { user_ids: [], rows: { bookings: 2, tenants: 1, request_log: 1, users: 3, api_keys: 2 } },
  ]);
  // The rows of these tables are not counted. PostgreSQL deletes them together with the account to which they belong.
  const cascaded = ['totp_factors', 'passkeys', 'recovery_codes', 'user_identities'];
  const counted = [...TENANT_TABLES.keys()].filter((table) => !cascaded.includes(table));
  expect(Object.keys(rows[0].rows).sort()).toEqual([...counted, 'cache_versions'].sort());
  expect(await erase()).toMatchObject({ again: true, rows: { bookings: 2 } });
  await expect(erase({}, 'B')).rejects.toMatchObject(refused('confirm', /^must be the name/));
});
