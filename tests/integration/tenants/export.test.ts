import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportTenant } from '@/lib/operations/tenants/export';
import { signerOf } from '@/lib/operations/tenants/signature';
import { verifyExport } from '@/lib/operations/tenants/signed-file';
import { OTHER_TABLES, TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { newId } from '@/lib/platform/ids';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { id } from '../database/row';
import {
  CUSTOMER,
  EMAIL,
  FORMER_OF_BOTH,
  FORMER_USER,
  fillTenants,
  METADATA,
  NOTE,
  OTHER,
  SHARED_USER,
  TENANT,
} from './world';

let database: OwnDatabase;
let directory = '';
const { signal } = new AbortController();

beforeAll(async () => {
  database = await ownDatabase();
  await fillTenants(database);
  directory = await mkdtemp(join(tmpdir(), 'export-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await database.drop();
});

const path = (name: string) => join(directory, name);
const textOf = async (name: string) => gunzipSync(await readFile(path(name))).toString();

async function exportTo(name: string, options: { tenantId?: string; readable?: boolean } = {}) {
  const what = { tenantId: TENANT, readable: false, path: path(name), ...options };
  return exportTenant(new Date(), database.url, what, signal);
}

const SCHEMA_TABLES = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND NOT relispartition AND relname <> '_prisma_migrations'`;

const REFERENCES = `
  SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent FROM pg_constraint
  WHERE contype = 'f' AND connamespace = 'public'::regnamespace
  UNION SELECT table_name, 'tenants' FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'`;

test('every table is exported or listed with a reason, and every table that leads to a tenant is exported', async () => {
  const tables = (await database.query(SCHEMA_TABLES)).rows.map(({ name }) => name as string);
  expect([...TENANT_TABLES.keys(), ...OTHER_TABLES.keys()].sort()).toEqual(tables.sort());
  const { rows } = await database.query(REFERENCES);
  const ofTenant = new Set(['tenants']);
  for (let size = 0; size < ofTenant.size; ) {
    size = ofTenant.size;
    for (const { child, parent } of rows) if (ofTenant.has(parent) && !/^request_log_/.test(child)) ofTenant.add(child);
  }
  // A row of `tenant_deletions` is kept after the tenant is deleted, so it is not part of the tenant's data.
  ofTenant.delete('tenant_deletions');
  // Sessions, second steps, and links of the tenant's accounts are valid only in this deployment, which also sends its mails
  // and whose tokens thin events have.
  const own = ['sessions', 'second_steps', 'address_links', 'mails', 'change_watches', 'slot_changes'];
  for (const table of own) ofTenant.delete(table);
  expect([...ofTenant].filter((table) => !TENANT_TABLES.has(table))).toEqual([]);
  // Parent tables come before the tables that refer to them.
  const order = [...TENANT_TABLES.keys()];
  const late = rows.filter(({ child, parent }) => child !== parent && order.indexOf(child) < order.indexOf(parent));
  expect(late.filter(({ child }) => order.includes(child))).toEqual([]);
});

test('an export contains every row of the tenant in every table, and no row of another tenant', async () => {
  const { counts, signer } = await exportTo('sealed.gz');
  expect((await stat(path('sealed.gz'))).mode & 0o777).toBe(0o600);
  expect(signer).toMatch(/^[\w-]{43}$/);
  // Matches the rows of other tenants. Each contains at least one of the ids that `fillTenants` uses only for other
  // tenants: ids of any kind that end with 5, 6, or 7, ids of tenants, locations, services, specialists, and
  // applications that end with 2, and the id of key 3.
  const others = '_0{25}[567]|(ten|loc|svc|spc|app)_0{25}2|key_0{25}3|000[567]$';
  for (const table of TENANT_TABLES.keys()) {
    const { rows } = await database.query(`SELECT t::text AS row FROM "${table}" t`);
    const expected = rows.filter(({ row }) => !new RegExp(others).test(row)).length;
    // One log entry belongs to no tenant, so the export does not contain it.
    expect([table, counts[table]]).toEqual([table, expected - (table === 'request_log' ? 1 : 0)]);
    expect([table, expected]).not.toEqual([table, 0]);
  }
  const text = await textOf('sealed.gz');
  expect(text).not.toMatch(/_0{25}[567]|(ten|loc|svc|spc|app)_0{25}2/);
  for (const user of [id('usr', 1), SHARED_USER, FORMER_USER, FORMER_OF_BOTH]) expect(text).toContain(`\n${user}\t`);
  expect(text).not.toContain('Robin');
  expect(await verifyExport(path('sealed.gz'))).toMatchObject({ tenant: { id: TENANT, name: 'A' }, readable: false });
  const { rows } = await database.query(
    `SELECT tenant_id, actor_kind, after FROM audit_log WHERE action = 'tenant.exported'`,
  );
  expect(rows).toEqual([{ tenant_id: TENANT, actor_kind: 'operator', after: { readable: false } }]);
});

test('a readable export contains contacts in plain text and no credential, hash, or encrypted value', async () => {
  const { counts } = await exportTo('readable.gz', { readable: true });
  const text = await textOf('readable.gz');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const bookings = lines.filter(({ table }) => table === 'bookings').map(({ row }) => row);
  expect(bookings).toContainEqual(
    expect.objectContaining({
      reference: id('pbr', 1),
      ...{ source: 'business', application_id: null, price_amount: 4900, price_currency: 'EUR', note: NOTE },
      ...{ customer_name: CUSTOMER.name, customer_phone: CUSTOMER.phone },
      ...{ customer_email: EMAIL, customer_locale: 'de-DE', metadata: JSON.stringify(METADATA) },
    }),
  );
  expect(bookings).toContainEqual(expect.objectContaining({ reference: id('pbr', 2), customer_name: null }));
  expect(
    lines
      .filter(({ table }) => table === 'users')
      .map(({ row }) => row.email)
      .sort(),
  ).toContain('a@example.com');
  expect(text).not.toMatch(/\\\\x[0-9a-f]{4}|argon2|hash(es)?":|"sealed"/);
  expect(text).not.toMatch(/_0{25}[567]|(ten|loc|svc|spc|app)_0{25}2/);
  expect(lines.at(-2)).toEqual({ end: counts });
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(lines.length - 3);
  expect(await verifyExport(path('readable.gz'))).toMatchObject({ readable: true });
});

test('refuses an existing file, an unknown tenant, and an incomplete rotation, and leaves nothing behind', async () => {
  await writeFile(path('mine'), 'mine');
  await expect(exportTo('mine')).rejects.toThrow(
    /mine already exists, and exports are never overwritten\. Specify a different file\.$/,
  );
  expect(await readFile(path('mine'), 'utf8')).toBe('mine');
  const before = await readdir(directory);
  await expect(exportTo('new.gz', { tenantId: newId('ten') })).rejects.toMatchObject({ code: 'not_found' });
  await expect(exportTo('missing/new.gz')).rejects.toThrow(/cannot be created: part of its path does not exist/);
  await expect(exportTo('mine/new.gz')).rejects.toThrow(/is not a directory\.$/);
  const stopped = AbortSignal.abort();
  const what = { tenantId: TENANT, readable: false, path: path('new.gz') };
  await expect(exportTenant(new Date(), database.url, what, stopped)).rejects.toThrow();
  await database.query('UPDATE environment SET previous_fingerprint = $1', ['b'.repeat(64)]);
  await expect(exportTo('new.gz')).rejects.toThrow('A rotation of SECRET_KEY is not complete.');
  await database.query('UPDATE environment SET previous_fingerprint = NULL');
  expect(await readdir(directory)).toEqual(before);
});

const DAMAGED = /is damaged or is not an export of this system\.$/;

const CHANGES: [string, (text: string) => string][] = [
  ['an edited row', (text) => text.replace('a@example.com', 'e@example.com')],
  ['a changed header', (text) => text.replace('"created_at":"2', '"created_at":"3')],
  ['no signature', (text) => text.replace(/^.*signature.*\n/m, '')],
  ['another signature', (text) => text.replace(/(signature\W+)../, '$1xx')],
  ['a line after the signature', (text) => `${text}\n`],
  ['no end', (text) => text.slice(0, text.length / 2)],
  ['no header', (text) => text.slice(text.indexOf('\n') + 1)],
];

test.each(CHANGES)('the verification refuses both formats with %s', async (_, change) => {
  for (const name of ['sealed.gz', 'readable.gz']) {
    await writeFile(path('modified.gz'), gzipSync(change(await textOf(name))));
    await expect(verifyExport(path('modified.gz'))).rejects.toThrow(DAMAGED);
  }
});

test('the verification refuses other files and other signers', async () => {
  await expect(verifyExport(path('mine'))).rejects.toThrow(DAMAGED);
  await expect(verifyExport(path('none'))).rejects.toThrow('does not exist or is a directory');
  await expect(verifyExport(directory)).rejects.toThrow('does not exist or is a directory');
  const { signer } = await verifyExport(path('sealed.gz'));
  expect(await verifyExport(path('sealed.gz'), signer)).toMatchObject({ signer });
  const stranger = signerOf('the secret of another deployment').publicKey;
  await expect(verifyExport(path('sealed.gz'), stranger)).rejects.toThrow(`with another SECRET_KEY (${signer}).`);
  // The header now contains the stranger's public key, but the stranger did not sign the file.
  await writeFile(path('modified.gz'), gzipSync((await textOf('sealed.gz')).replace(signer, stranger)));
  await expect(verifyExport(path('modified.gz'), stranger)).rejects.toThrow(DAMAGED);
});

test('an export of the other tenant is independent', async () => {
  await exportTo('other.gz', { tenantId: OTHER });
  expect(await textOf('other.gz')).not.toMatch(/(ten|app|pbr|evt|dlv|aud)_0{25}1/);
});
