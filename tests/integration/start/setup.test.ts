import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, signInOverHttp } from '@/tests/support/control-center';
import { createDatabase, openPool } from '@/tests/support/database';
import { endLaunches, freshDataDir, type Launch, launch, removeDataDirs, setupLinkOf } from '@/tests/support/launcher';

const TIMEOUT = 120_000;
const SECRET_KEY = 'a secret of a LIVE deployment in a test';
const LINK = /http:\/\/localhost:\d+\/setup\/([\w-]{43})/;
const OWNER = {
  business_name: 'Harbour Hair',
  time_zone: 'Europe/Berlin',
  locales: ['de', 'pt-BR'],
  name: 'Olivia Owner',
  email: 'Olivia@Harbour.example',
  password: 'correct horse battery',
};

let database: Awaited<ReturnType<typeof createDatabase>>;
let client: pg.Client;

async function openDatabase(): Promise<void> {
  database = await createDatabase();
  client = new pg.Client(database.url);
  await client.connect();
}

async function dropDatabase(): Promise<void> {
  await endLaunches();
  await client.end();
  await database.drop();
}

afterAll(removeDataDirs);

/**
 * Starts the system in LIVE. Resolves with the origin and the token of the setup link.
 * @param workers 1 by default, because each worker takes a second of processor time
 */
async function start(workers = '1'): Promise<{ started: Launch; origin: string; token: string | null }> {
  const DATA_DIR = await freshDataDir();
  const settings = { DATA_DIR, ENVIRONMENT: 'LIVE', DATABASE_URL: database.url, WORKERS: workers };
  const started = launch({ ...settings, SECRET_KEY });
  await started.running();
  const link = await setupLinkOf(DATA_DIR);
  const [, token = null] = LINK.exec(link ?? '') ?? [];
  expect(started.output()).not.toMatch(LINK);
  expect(started.output()).toContain('Warning: The server listens on all addresses, and TRUSTED_PROXIES is 0.');
  if (link !== null) {
    expect(started.output()).toContain(`The link to become the owner is in ${join(DATA_DIR, 'setup-link')};`);
    expect((await stat(join(DATA_DIR, 'setup-link'))).mode & 0o777).toBe(0o600);
  }
  const [origin = ''] = /http:\/\/localhost:\d+/.exec(started.output()) ?? [];
  return { started, origin, token };
}

type Reply = { status: number; body: { error?: { code: string; fields: { path: string; message: string }[] } } | null };

async function setUp(origin: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}/api/setup`, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  await dispatcher.close();
  return { status: answer.statusCode, body: text === '' ? null : (JSON.parse(text) as Reply['body']) };
}

const countOf = async (table: string) =>
  Number((await client.query<{ count: string }>(`SELECT count(*) AS count FROM ${table}`)).rows[0]?.count);

describe('several starts', () => {
  beforeAll(openDatabase);
  afterAll(dropDatabase);

  test(
    'each start invalidates the previous link; one of several concurrent uses wins; later starts print no link',
    async () => {
      const first = await start();
      const second = await start('auto');
      expect(await setUp(second.origin, { token: first.token, ...OWNER })).toMatchObject({ status: 404 });
      const stored = await client.query<{ text: string }>('SELECT s::text AS text FROM setup_link s');
      expect(stored.rows).toHaveLength(1);
      expect(JSON.stringify(stored.rows)).not.toContain(second.token);

      const rivals = Array.from({ length: 8 }, (_, index) => ({ ...OWNER, email: `rival-${index}@harbour.example` }));
      const replies = await Promise.all(
        rivals.map((rival, index) => setUp((index % 2 ? first : second).origin, { token: second.token, ...rival })),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
      for (const table of ['tenants', 'users', 'memberships']) expect(await countOf(table)).toBe(1);
      expect(await countOf('setup_link')).toBe(0);
      const winner = rivals[replies.findIndex(({ status }) => status === 200)];
      const cookie = await signInOverHttp(first.origin, winner?.email ?? '', OWNER.password);
      const me = await callProcedure('session.me', { origin: first.origin, cookie, type: 'query' });
      expect(me.data).toMatchObject({ role: 'OWNER', tenant_name: 'Harbour Hair' });
      const { rows } = await client.query('SELECT action, after FROM audit_log');
      expect(rows).toMatchObject([{ action: 'tenant.created', after: { owner: winner?.email } }]);
      expect((await start()).token).toBeNull();
    },
    TIMEOUT,
  );
});

describe('one start', () => {
  let started: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    await openDatabase();
    started = await start();
  }, TIMEOUT);
  afterAll(dropDatabase);

  test(
    'a link that remains after the setup does not work',
    async () => {
      const { origin, token } = started;
      const id = 'ten_00000000000000000000000001';
      await client.query(
        `INSERT INTO tenants (id, name, time_zone, default_locale, locales) VALUES ($1, 'Other', 'UTC', 'en', '{en}')`,
        [id],
      );
      expect(await setUp(origin, { token, ...OWNER })).toMatchObject({ status: 404 });
      expect(await countOf('users')).toBe(0);
      const owner = openPool(database.ownerUrl, 1);
      await owner.query('TRUNCATE tenants CASCADE');
      await owner.end();
      // The server remembers for ten seconds that a tenant exists.
      const answer = async () => (await setUp(origin, { ...OWNER, token, name: '' })).status;
      await expect.poll(answer, { timeout: 60_000, interval: 500 }).toBe(400);
    },
    TIMEOUT,
  );

  test(
    'a setup that waits for a lock gives up, and waits no longer',
    async () => {
      const { origin, token } = started;
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM setup_link FOR UPDATE');
      expect(await setUp(origin, { token, ...OWNER })).toMatchObject({ status: 503 });
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect((await client.query(waiting)).rows).toEqual([]);
      await client.query('ROLLBACK');
      expect(await countOf('users')).toBe(0);
    },
    TIMEOUT,
  );

  test(
    'an invalid form is refused at its field without its value and keeps the link valid; the link expires after an hour',
    async () => {
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
      for (const text of ['', '[]', 'null', '{"token":'])
        expect(await setUp(origin, text)).toMatchObject({ status: 400 });
      for (const other of [null, 'x', 'a'.repeat(43), { a: 1 }])
        expect((await setUp(origin, { ...OWNER, token: other })).status).toBeGreaterThanOrEqual(400);
      const foreign = { 'sec-fetch-site': 'cross-site' };
      expect(await setUp(origin, { token, ...OWNER }, foreign)).toEqual({ status: 403, body: null });
      expect(await countOf('tenants')).toBe(0);

      await client.query(
        `UPDATE setup_link SET created_at = now() - interval '61 min', expires_at = now() - interval '1 min'`,
      );
      expect(await setUp(origin, { token, ...OWNER })).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found' } },
      });
      const page = await request(`${origin}/setup/${token}`);
      expect(await page.body.text()).toContain('This link does not work');
      await client.query(`UPDATE setup_link SET created_at = now(), expires_at = now() + interval '1 hour'`);
      expect(await setUp(origin, { token, ...OWNER })).toMatchObject({ status: 200 });
      const { rows } = await client.query('SELECT default_locale, locales, time_zone FROM tenants');
      expect(rows).toEqual([{ default_locale: 'de', locales: ['de', 'pt-BR'], time_zone: 'Europe/Berlin' }]);
      expect((await client.query('SELECT email FROM users')).rows).toEqual([{ email: 'olivia@harbour.example' }]);
    },
    TIMEOUT,
  );
});
