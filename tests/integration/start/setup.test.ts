import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { createSetupLink } from '@/lib/operations/setup';
import { env } from '@/lib/platform/env';
import { callProcedure, openPage, postAsPage, signInOverHttp } from '@/tests/support/control-center';
import { changeSettings } from '@/tests/support/fresh-process';
import { holdLock } from '@/tests/support/held-lock';
import { endLaunches, freshDataDir, launch, removeDataDirs, setupLinkOf } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';

const TIMEOUT = 120_000;
const LINK = /http:\/\/localhost:\d+\/setup\/([\w-]{43})/;
const OWNER = {
  business_name: 'Harbour Hair',
  time_zone: 'Europe/Berlin',
  locales: ['de', 'pt-BR'],
  name: 'Olivia Owner',
  email: 'Olivia@Harbour.example',
  password: 'correct horse battery',
};

let database: OwnDatabase;
let started: { origin: string; token: string };
let other: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  changeSettings({ ENVIRONMENT: 'LIVE' });
  await claimEnvironment(database.url, { environment: 'LIVE', secretKey: env().SECRET_KEY });
  started = await start();
  other = await startServer({ databaseUrl: database.url, env: { ENVIRONMENT: 'LIVE', WORKERS: '1' } });
}, TIMEOUT);

afterAll(async () => {
  await Promise.all([endLaunches(), other.stop()]);
  await database.drop();
  await removeDataDirs();
});

/** Starts the system in LIVE. Resolves with the origin and the token of the setup link. */
async function start(): Promise<{ origin: string; token: string }> {
  const DATA_DIR = await freshDataDir();
  const { SECRET_KEY } = env();
  const launched = launch({ DATA_DIR, ENVIRONMENT: 'LIVE', DATABASE_URL: database.url, WORKERS: '1', SECRET_KEY });
  await launched.running();
  const [, token = ''] = LINK.exec((await setupLinkOf(DATA_DIR)) ?? '') ?? [];
  expect(launched.output()).toContain('(LIVE) is running on');
  expect(launched.output()).not.toMatch(/curl|synthetic/);
  expect(launched.output()).not.toMatch(LINK);
  expect(launched.output()).toContain('Warning: The server listens on all addresses, and TRUSTED_PROXIES is 0.');
  expect(launched.output()).toContain(`The link to become the owner is in ${join(DATA_DIR, 'setup-link')};`);
  expect((await stat(join(DATA_DIR, 'setup-link'))).mode & 0o777).toBe(0o600);
  const [origin = ''] = /http:\/\/localhost:\d+/.exec(launched.output()) ?? [];
  return { origin, token };
}

const setUp = (origin: string, body: unknown, headers: Record<string, string> = {}) =>
  postAsPage<{ error?: { code: string; fields: { path: string; message: string }[] } } | null>(
    origin,
    '/api/setup',
    body,
    { headers },
  );

const countOf = async (table: string) =>
  (await database.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0]?.count;

test('a setup that waits for a lock gives up, and waits no longer', async () => {
  const { origin, token } = started;
  const lock = await holdLock(database.url, 'SELECT 1 FROM setup_link FOR UPDATE');
  expect(await setUp(origin, { token, ...OWNER })).toMatchObject({ status: 503 });
  expect(await lock.waiting()).toBe(0);
  await lock.release();
  expect(await countOf('users')).toBe(0);
});

test('an invalid form is refused at its field without its value and keeps the link valid; the link expires after an hour', async () => {
  const { origin, token } = started;
  const bad: [object, string][] = [
    [{ business_name: ' ' }, 'business_name'],
    [{ business_name: 'Nord\u0000' }, 'business_name'],
    [{ business_name: 'x'.repeat(201) }, 'business_name'],
    [{ time_zone: 'Europe/Nowhere' }, 'time_zone'],
    [{ time_zone: '+01:00' }, 'time_zone'],
    [{ locales: [] }, 'locales'],
    [{ locales: ['de', 'de'] }, 'locales'],
    [{ locales: ['de_DE'] }, 'locales.0'],
    [{ locales: ['DE'] }, 'locales.0'],
    [{ locales: ["de'; --"] }, 'locales.0'],
    [{ name: '' }, 'name'],
    [{ email: 'olivia' }, 'email'],
    [{ email: `${'x'.repeat(320)}@y` }, 'email'],
    [{ email: 'a\u0000@b.example' }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(1025) }, 'password'],
    [{ role: 'OWNER' }, 'role'],
  ];
  for (const [change, path] of bad) {
    const { status, body } = await setUp(origin, { token, ...OWNER, ...change });
    expect([status, body?.error?.fields.map((field) => field.path)]).toEqual([400, [path]]);
    expect(JSON.stringify(body)).not.toMatch(/Nowhere|xxxx|de_DE|olivia/);
  }
  for (const text of ['', '[]', 'null', '{"token":']) expect(await setUp(origin, text)).toMatchObject({ status: 400 });
  for (const other of [null, 'x', 'a'.repeat(43), { a: 1 }])
    expect((await setUp(origin, { ...OWNER, token: other })).status).toBeGreaterThanOrEqual(400);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  expect(await setUp(origin, { token, ...OWNER }, foreign)).toEqual({ status: 403, body: null });
  await database.query(
    `UPDATE setup_link SET created_at = now() - interval '61 min', expires_at = now() - interval '1 min'`,
  );
  const expired = await setUp(origin, { token, ...OWNER });
  expect(expired).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await openPage(origin, `/setup/${token}`)).toContain('This link does not work');
  await database.query(`UPDATE setup_link SET created_at = now(), expires_at = now() + interval '1 hour'`);
  expect(await setUp(origin, { token, ...OWNER, name: '' })).toMatchObject({ status: 400 });
  expect(await countOf('tenants')).toBe(0);
});

test('a newer link replaces the previous one; one of several concurrent uses wins; afterward no link works', async () => {
  // As each start does.
  const token = await createSetupLink(new Date());
  expect(await setUp(other.origin, { ...OWNER, token: started.token })).toMatchObject({ status: 404 });
  const { rows: links } = await database.query('SELECT *, s::text AS text FROM setup_link s');
  expect(links).toHaveLength(1);
  expect(links[0]?.text).not.toContain(token);

  const rivals = Array.from({ length: 8 }, (_, index) => ({ ...OWNER, email: `Rival-${index}@Harbour.example` }));
  const replies = await Promise.all(
    rivals.map((rival, index) => setUp((index % 2 ? started : other).origin, { token, ...rival })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
  for (const table of ['tenants', 'users', 'memberships']) expect(await countOf(table)).toBe(1);
  expect(await countOf('setup_link')).toBe(0);
  const email = rivals[replies.findIndex(({ status }) => status === 200)]?.email ?? '';
  expect((await database.query('SELECT email FROM users')).rows).toEqual([{ email: email.toLowerCase() }]);
  const tenants = await database.query('SELECT default_locale, locales, time_zone FROM tenants');
  expect(tenants.rows).toEqual([{ default_locale: 'de', locales: ['de', 'pt-BR'], time_zone: 'Europe/Berlin' }]);
  const cookie = await signInOverHttp(started.origin, email, OWNER.password);
  const me = await callProcedure('session.me', { origin: started.origin, cookie, type: 'query' });
  expect(me.data).toMatchObject({ role: 'OWNER', tenant_name: 'Harbour Hair' });
  const audit = await database.query('SELECT action, after FROM audit_log');
  expect(audit.rows).toMatchObject([{ action: 'tenant.created', after: { owner: email.toLowerCase() } }]);

  // A link that another start has stored meanwhile.
  await database.query(
    `INSERT INTO setup_link (singleton, token_hash, created_at, expires_at) VALUES (true, $1, $2, $3)`,
    [links[0]?.token_hash, links[0]?.created_at, links[0]?.expires_at],
  );
  for (const { origin } of [started, other])
    expect(await setUp(origin, { token, ...OWNER })).toMatchObject({ status: 404 });
  expect(await countOf('users')).toBe(1);
  expect(await createSetupLink(new Date())).toBeNull();
});
