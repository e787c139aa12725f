import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openOptions } from '@/lib/booking/bookings/customer';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { exportTenant } from '@/lib/operations/tenants/export';
import { importTenant } from '@/lib/operations/tenants/import';
import { beginDigest, signDigest, signerOf } from '@/lib/operations/tenants/signature';
import { TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { env } from '@/lib/platform/env';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { until } from '@/tests/support/until';
import { id } from '../database/row';
import { EMAIL, fillTenants, METADATA, NOTE, OTHER, SHARED_USER, TENANT } from './world';

const { signal } = new AbortController();

let source: OwnDatabase;
let directory = '';
let target: TestDatabase;
let pool: pg.Pool;

const path = (name: string) => join(directory, name);

beforeAll(async () => {
  process.env.CELL = 'eu01';
  source = await ownDatabase();
  await fillTenants(source);
  await source.query(`UPDATE api_keys SET start = 'pbk_test_eu02aB3dE9fG' WHERE id = $1`, [id('key', 1)]);
  directory = await mkdtemp(join(tmpdir(), 'import-'));
  for (const readable of [true, false])
    await exportTenant(
      new Date(),
      source.url,
      { tenantId: TENANT, path: path(readable ? 'readable.gz' : 'sealed.gz'), readable },
      signal,
    );
  target = await emptyDeployment();
  pool = openPool(target.url);
  await exportTenant(new Date(), source.url, { tenantId: OTHER, path: path('other.gz'), readable: false }, signal);
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await source.drop();
  await pool.end();
  await target.drop();
});

async function emptyDeployment(): Promise<TestDatabase> {
  const database = await createDatabase();
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  return database;
}

const load = (name = 'sealed.gz', { url } = target) => importTenant(new Date(), url, path(name), signal);

/** Returns the rows of the exported tables as JSON text, without the column `suspended_at`. */
async function rowsIn(
  query: pg.Pool['query'],
  condition: (table: string) => string,
): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of TENANT_TABLES.keys()) {
    const { rows } = await query(
      `SELECT (to_jsonb(t) - 'suspended_at')::text AS row FROM "${table}" t WHERE ${condition(table)} ORDER BY 1`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  return found;
}

const ofTenant = (table: string) => TENANT_TABLES.get(table)?.(`'${TENANT}'`) ?? 'false';

/** Writes a changed copy of the sealed export. Signs the copy, so that its signature is valid. */
async function changed(change: (text: string) => string): Promise<string> {
  const text = change(gunzipSync(await readFile(path('sealed.gz'))).toString());
  const content = text.slice(0, text.lastIndexOf('-- signature '));
  const digest = beginDigest().update(content).digest();
  const signature = signDigest(digest, signerOf(env().SECRET_KEY));
  await writeFile(path('changed.gz'), gzipSync(`${content}-- signature ${signature}\n`));
  return 'changed.gz';
}

const REFUSALS: [string, (text: string) => string, RegExp][] = [
  ['of LIVE', (text) => text.replace('"environment":"TEST"', '"environment":"LIVE"'), /belongs to a LIVE environment/],
  [
    'with other hash keys',
    (text) => text.replace(/(hash_keys_fingerprint":")..../, '$1xxxx'),
    /Partners' API keys would not/,
  ],
  [
    'of another version',
    (text) => text.replace(/"migrations":\["\w+"/, '"migrations":["1_x"'),
    /made by another version/,
  ],
  ['with a table of PostgreSQL', (text) => text.replace('COPY "tenants" (', 'COPY "pg_authid" ('), /is damaged/],
  ['with a table of the operator', (text) => text.replace('COPY "tenants" (', 'COPY "environment" ('), /is damaged/],
  ['with an unknown column', (text) => text.replace('COPY "tenants" ("id"', 'COPY "tenants" ("ctid"'), /is damaged/],
  ['without a table', (text) => text.replace(/COPY "audit_log".*\\\.\n/s, ''), /is damaged/],
  ['with a wrong count', (text) => text.replace('"bookings":2', '"bookings":3'), /is damaged/],
];

test.each(REFUSALS)('refuses an export %s, and imports nothing', async (_, change, message) => {
  await expect(load(await changed(change))).rejects.toThrow(message);
  expect((await pool.query('SELECT FROM tenants UNION ALL SELECT FROM users')).rowCount).toBe(0);
});

test('refuses a readable export, a file of another deployment, and rows that exist', async () => {
  await expect(load('readable.gz')).rejects.toThrow('A readable export cannot be imported.');
  const text = gunzipSync(await readFile(path('sealed.gz'))).toString();
  await writeFile(path('edited.gz'), gzipSync(text.replace('a@example.com', 'e@example.com')));
  await expect(load('edited.gz')).rejects.toThrow('is damaged or is not an export');
  await pool.query(`INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id)
    VALUES ('${id('aud', 1)}', now(), '${TENANT}', 'system', 'a', 'b', 'c')`);
  await expect(load()).rejects.toThrow(/^Nothing was imported: a row of audit_log already exists .*audit_log_pkey/);
  const admin = openPool(target.adminUrl, 1);
  // As a replica, so that the triggers that keep the audit log do not apply.
  await admin.query('BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM audit_log; COMMIT');
  await admin.end();
  expect((await pool.query('SELECT FROM tenants UNION ALL SELECT FROM users')).rowCount).toBe(0);
});

test('refuses bookings with newer time zone rules than those of this deployment', async () => {
  const exportWith = async (rules: string, file: string) => {
    await source.query('UPDATE tenants SET zone_rules = $2 WHERE id = $1', [OTHER, rules]);
    await exportTenant(new Date(), source.url, { tenantId: OTHER, path: path(file), readable: false }, signal);
    await source.query('UPDATE tenants SET zone_rules = NULL WHERE id = $1', [OTHER]);
  };
  await exportWith('2100a', 'newer.gz');
  await expect(load('newer.gz')).rejects.toThrow(
    `Nothing was imported: the bookings of this export have the time zone rules 2100a, but this deployment uses ${ZONE_RULES}.`,
  );
  // The rules of this process are newer than those of the servers.
  await pool.query(`UPDATE environment SET zone_rules = '2020a'`);
  await exportWith('2020b', 'between.gz');
  await expect(load('between.gz')).rejects.toThrow('2020b, but this deployment uses 2020a.');
  await pool.query('UPDATE environment SET zone_rules = NULL');
  expect((await pool.query('SELECT FROM tenants UNION ALL SELECT FROM users')).rowCount).toBe(0);
});

test('an import whose connection ends in the middle imports nothing, and can be repeated', async () => {
  const blocker = await pool.connect();
  // The import loads the tables that come before `bookings`, and then waits for this lock.
  await blocker.query('BEGIN; LOCK TABLE bookings IN EXCLUSIVE MODE');
  const importing = load().then(
    () => 'imported',
    () => 'failed',
  );
  const waiting = `SELECT pid FROM pg_locks WHERE relation = 'bookings'::regclass AND NOT granted`;
  const { rows } = await until(
    () => pool.query<{ pid: number }>(waiting),
    ({ rowCount }) => rowCount === 1,
  );
  const killer = openPool(target.adminUrl, 1);
  await killer.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
  expect(await importing).toBe('failed');
  await killer.end();
  await blocker.query('ROLLBACK');
  blocker.release();
  expect((await pool.query('SELECT FROM tenants UNION ALL SELECT FROM users')).rowCount).toBe(0);
});

test('every row of the tenant arrives unchanged, and the tenant is suspended', async () => {
  const counted = async () => (await pool.query('SELECT counted_until AS at FROM request_counts_progress')).rows[0]?.at;
  const hour = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  await pool.query('INSERT INTO request_counts_progress (counted_until) VALUES ($1)', [new Date(hour)]);
  const { counts, name } = await load();
  expect(name).toBe('A');
  // The requests of the last hours before the export are counted again. The counts in the export can lack them.
  expect((await counted()).getTime()).toBeLessThanOrEqual(hour - 2 * 3_600_000);
  const arrived = await rowsIn(pool.query.bind(pool) as never, () => 'true');
  const sent = await rowsIn(source.query as never, ofTenant);
  // The import adds an entry to the audit log.
  const [imported = '', ...more] = (arrived.audit_log ?? []).filter((row) => row.includes('tenant.imported'));
  expect([more, JSON.parse(imported)]).toMatchObject([[], { actor_kind: 'operator', tenant_id: TENANT }]);
  arrived.audit_log = (arrived.audit_log ?? []).filter((row) => row !== imported);
  expect(arrived).toEqual(sent);
  expect(Object.fromEntries(Object.entries(sent).map(([table, rows]) => [table, rows.length]))).toEqual(counts);
  const { rows: business } = await pool.query(`SELECT * FROM bookings WHERE source = 'business'`);
  expect(business).toMatchObject([
    { application_id: null, price_amount: 4900, price_currency: 'EUR', name_hashes: [{ length: 8 }, { length: 8 }] },
  ]);
  expect(openOptions(business[0])).toEqual({ email: EMAIL, locale: 'de-DE', note: NOTE, metadata: METADATA });
  const { rows } = await pool.query('SELECT suspended_at FROM tenants');
  expect(rows).toEqual([{ suspended_at: expect.any(Date) }]);
  await expect(load()).rejects.toThrow(`A (${TENANT}) already exists in this deployment.`);
});

test('two tenants with a common member can be imported into one deployment', async () => {
  await load('other.gz');
  const { rows } = await pool.query('SELECT count(*)::int AS count FROM memberships WHERE user_id = $1', [SHARED_USER]);
  expect(rows).toEqual([{ count: 2 }]);
});

test('an account with the same email address is kept, and its new tenant refers to it', async () => {
  const other = await emptyDeployment();
  const own = openPool(other.url);
  const query = own.query.bind(own);
  const here = id('usr', 7);
  const account = `INSERT INTO users (id, email, name, password_hash, address_proven_at) VALUES ($1, $2, 'Here', '$argon2id$x', now())`;
  await query(account, [here, 'a@example.com']);
  // A person who has changed the address here is the same, and whoever has the former address is not.
  await query(account, [SHARED_USER, 'changed@example.com']);
  await query(account, [id('usr', 9), `${SHARED_USER}@example.com`]);
  await load('sealed.gz', other);
  const { rows } = await query(`SELECT id, name FROM users WHERE email = 'a@example.com'`);
  expect(rows).toEqual([{ id: here, name: 'Here' }]);
  const { rows: members } = await query('SELECT user_id FROM memberships ORDER BY 1');
  expect(members.map(({ user_id }) => user_id)).toEqual([here, SHARED_USER]);
  const { rows: entries } = await query(`SELECT actor_id FROM audit_log WHERE action = 'key.issued'`);
  expect(entries).toEqual([{ actor_id: here }]);
  // The import omits second factors. Otherwise, a second factor from the source would give access to the account here.
  expect((await query('SELECT user_id FROM totp_factors UNION ALL SELECT user_id FROM passkeys')).rowCount).toBe(0);
  await own.end();
  await other.drop();
});

test('the commands verify and import a file, and list unfinished and finished deletions', async () => {
  const context = {
    dataDir: directory,
    ownerUrl: source.ownerUrl,
    now: new Date(),
    signal,
    say: () => {},
  };
  const run = (...args: string[]) => runCommand(parseCommand(args), context);
  expect(await run('verify', path('readable.gz'))).toMatch(
    /^The signature is valid\. .* is the readable export of A \(ten_/,
  );
  await expect(run('import', path('sealed.gz'))).rejects.toThrow(`A (${TENANT}) already exists in this deployment.`);
  await source.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [TENANT]);
  const stop = () => {
    throw new Error('stopped');
  };
  const what = { tenantId: TENANT, confirm: 'A' };
  await expect(deleteTenant(new Date(), source.url, what, { settle: 0, onBatch: stop })).rejects.toThrow('stopped');
  expect(await run('list')).toMatch(new RegExp(`^${TENANT} {2}deletion not finished: run delete again`, 'm'));
  expect(await run('list', '--deleted')).toMatch(new RegExp(`^${TENANT} {2}\\S+Z {2}not finished {2}\\d+ +A$`, 'm'));
  await expect(run('delete', TENANT, '--confirm', 'B')).rejects.toThrow('--confirm must be the name of the tenant');
  await expect(run('resume', TENANT)).rejects.toThrow('The tenant is being deleted: run delete again to finish.');
  await deleteTenant(new Date(), source.url, what, { settle: 0 });
  expect(await run('delete', TENANT, '--confirm', 'A')).toMatch(/^A \(ten_\w{26}\) was already deleted at \S+Z\.$/);
  expect(await run('list', '--deleted')).toMatch(new RegExp(`^ID .*\n${TENANT} {2}\\S+Z {2}\\S+Z +\\d+ +A$`));
  expect(await run('import', path('sealed.gz'))).toMatch(
    /^Imported A \(ten_\w{26}\): \d+ rows in \d+ tables\. The tenant is suspended\. To resume it: npm run tenant -- resume ten_\w{26}\nAdd to "keys" in the cell directory:\n {2}"pbk_test_eu02aB3dE9fG": "eu01"\nA proxy cannot route 1 of the keys, which are older\. Replace them\.$/,
  );
});

test('a tenant that was deleted can be imported and deleted again', async () => {
  const move = { tenantId: TENANT, confirm: 'A' };
  const { query, url, ownerUrl } = source;
  for (const round of [2, 3]) {
    await query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [TENANT]);
    // Two processes that delete the tenant at the same time must both succeed.
    const deleting = [1, 2].map(() => deleteTenant(new Date(), url, move, { settle: 0, batch: 1 }));
    expect(await Promise.all(deleting)).toMatchObject([{ rows: { tenants: 1 } }, { rows: { tenants: 1 } }]);
    const { rowCount } = await query('SELECT FROM tenant_deletions WHERE finished_at IS NOT NULL');
    expect(rowCount).toBe(round);
    await expect(importTenant(new Date(), url, path('sealed.gz'), signal)).rejects.toThrow(
      `A (${TENANT}) was deleted here. To import it again, set MIGRATION_DATABASE_URL`,
    );
    await importTenant(new Date(), ownerUrl, path('sealed.gz'), signal);
  }
});

test('an imported tenant with older time zone rules is derived again before it is resumed', async () => {
  const { query } = source;
  const run = () =>
    runCommand(parseCommand(['resume', OTHER]), {
      dataDir: directory,
      ownerUrl: source.ownerUrl,
      now: new Date(),
      signal,
      say: () => {},
    });
  const booking = `
    UPDATE bookings SET time_zone = 'Asia/Kolkata', date = '2099-01-05', start_time = '10:00', end_date = '2099-01-05',
      end_time = '10:30', local_version = version, zone_rules = '2020a', starts_at = '2099-01-05T05:30Z',
      ends_at = '2099-01-05T06:00Z'
    WHERE tenant_id = $1 AND status = 'confirmed' RETURNING reference, version`;
  const [before] = (await query(booking, [OTHER])).rows;
  await query(
    `UPDATE slot_claims SET starts_at = '2099-01-05T05:30Z', ends_at = '2099-01-05T06:00Z',
       during = '[2099-01-05T05:30Z, 2099-01-05T06:00Z)' WHERE tenant_id = $1`,
    [OTHER],
  );
  await query(`UPDATE tenants SET zone_rules = '2020a', suspended_at = now() WHERE id = $1`, [OTHER]);
  await query(`UPDATE environment SET zone_rules = '2100a', zone_rules_derived_at = now()`);
  await expect(run()).rejects.toThrow(
    `This server has the time zone rules ${ZONE_RULES}, but the database uses 2100a.`,
  );
  await query('UPDATE environment SET zone_rules = $1', [ZONE_RULES]);
  expect(await run()).toMatch(/ is active\. /);
  const found = 'SELECT version, starts_at FROM bookings WHERE reference = $1';
  expect((await query(found, [before.reference])).rows).toEqual([
    { version: before.version + 1, starts_at: new Date('2099-01-05T04:30Z') },
  ]);
  const { rows } = await query('SELECT zone_rules, suspended_at FROM tenants WHERE id = $1', [OTHER]);
  expect(rows).toEqual([{ zone_rules: ZONE_RULES, suspended_at: null }]);
});
