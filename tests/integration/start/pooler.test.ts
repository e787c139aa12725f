import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { checkPooler } from '@/lib/operations/environment/pooler';
import { SESSION_TIMEOUTS } from '@/lib/platform/db';
import { createDatabase } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type PgBouncer, PROGRAM, startPgBouncer } from '@/tests/support/pgbouncer';
import { type PoolerProxy, startPoolerProxy } from '@/tests/support/pooler-proxy';
import { hasProgram } from '@/tests/support/programs';
import { refusal } from '@/tests/support/refusal';
import { TEST_SECRET as SECRET_KEY, startServer } from '@/tests/support/server';
import { SOAK } from '@/tests/support/soak';
import { cancelOf, createOf, createPartner, dayAhead, makeStage, outcomes, rescheduleOf } from '@/tests/support/storm';

const TIMEOUT = 120_000;
const DIRECT = 'Set DIRECT_DATABASE_URL to the address of PostgreSQL itself.';

let database: OwnDatabase;
let pooler: PoolerProxy;

beforeAll(async () => {
  database = await ownDatabase();
  pooler = await startPoolerProxy(database.url);
});

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await pooler.stop();
  await database.drop();
});

/**
 * Sends `rounds` rounds of writes. A round creates one booking for each of eight specialists, then reschedules these
 * bookings, and then cancels them. The eight writes of each step are concurrent. Returns how often each outcome
 * occurred, and the number of writes per second.
 */
async function work(origin: string, rounds: number) {
  const { place, keys, specialists } = await makeStage({ specialists: 8 });
  const partner = createPartner(origin, keys[0] ?? '');
  const replies = [];
  const begun = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    const wish = { date: dayAhead(7 + (round % 20)), start_time: '09:00' };
    const made = await Promise.all(
      specialists.map(({ id }) => partner.prepare(createOf(place, { ...wish, specialist_id: id }))),
    );
    const moved = await Promise.all(
      made.map(({ data }) => partner.send(rescheduleOf(data.booking, { ...wish, start_time: '13:00' }))),
    );
    const cancelled = await Promise.all(moved.map(({ data }) => partner.send(cancelOf(data.booking))));
    replies.push(...made, ...moved, ...cancelled);
  }
  return { counts: outcomes(replies), perSecond: Math.round((replies.length * 1_000) / (performance.now() - begun)) };
}

test(
  'a start uses DATABASE_URL as a pooler in transaction mode allows, and the direct connection for the rest',
  async () => {
    const DATA_DIR = await freshDataDir();
    const started = launch({ DATA_DIR, SECRET_KEY, DATABASE_URL: pooler.url, DIRECT_DATABASE_URL: database.url });
    await started.running();
    expect(started.output()).toContain(
      'Warning: Connections of the pooler at DATABASE_URL have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout.',
    );
    const { base_url, applications } = JSON.parse(await readFile(join(DATA_DIR, 'credentials.json'), 'utf8'));
    const { origin } = new URL(base_url);
    expect((await createPartner(origin, applications[0].api_key).catalog()).status).toBe(200);
    // Writes need no session state.
    expect((await work(origin, 1)).counts).toEqual({ 201: 8, 200: 16 });
    expect(pooler.statements()).toBeGreaterThan(50);
    expect(pooler.problems).toEqual([]);
  },
  TIMEOUT,
);

describe('a start is refused', () => {
  test('if migrations would run through a pooler', { timeout: TIMEOUT }, async () => {
    const settings = { DATA_DIR: await freshDataDir(), DATABASE_URL: pooler.url, SECRET_KEY };
    expect(await refusal(settings)).toContain(DIRECT);
    await expect(applyMigrations(pooler.url)).rejects.toThrow(DIRECT);
  });

  test('if the two URLs lead to different databases', async () => {
    const other = await createDatabase();
    await expect(checkPooler(pooler.url, other.url)).rejects.toThrow(
      'DATABASE_URL and DIRECT_DATABASE_URL lead to different databases.',
    );
    await other.drop();
  });

  test('if the pooler loses prepared statements', async () => {
    const old = await startPoolerProxy(database.url, { loseStatements: true });
    await expect(checkPooler(old.url, database.url)).rejects.toThrow('Use PgBouncer 1.21 or newer');
    await old.stop();
  });
});

test('npm run migrate uses the direct connection, and refuses the database of another environment', {
  timeout: TIMEOUT,
}, async () => {
  const unused = await startPoolerProxy(database.url);
  const settings = { DATABASE_URL: unused.url, DIRECT_DATABASE_URL: database.url, SECRET_KEY };
  const refused = launch({ ...settings, ENVIRONMENT: 'LIVE' }, ['migrate']);
  expect(await refused.ended()).toBe(1);
  expect(refused.output()).toContain('This database belongs to a TEST environment');
  if (SOAK) {
    const done = launch(settings, ['migrate']);
    expect([await done.ended(), done.output()]).toEqual([0, 'The database is up to date.\n']);
  }
  expect(unused.statements()).toBe(0);
  await unused.stop();
});

test('the timeouts of the PgBouncer recipe are those of direct connections', async () => {
  const recipe = await readFile('deploy/pgbouncer/pgbouncer.ini', 'utf8');
  const query = Object.entries(SESSION_TIMEOUTS).map(([name, value]) => `SET ${name} = ${value}`);
  expect(recipe).toContain(`connect_query='${query.join('; ')}'`);
});

// They need PgBouncer 1.21 or newer, which npm does not install, so they run only in `npm run test:soak`.
if (SOAK && hasProgram(PROGRAM, 3, 'the tests with PgBouncer'))
  describe('with PgBouncer', () => {
    let pgBouncer: PgBouncer;

    beforeAll(async () => {
      pgBouncer = await startPgBouncer(database.url);
    });

    afterAll(async () => {
      await pgBouncer?.stop();
    });

    test('the recipe passes every check of a start', async () => {
      expect(await checkPooler(pgBouncer.url, database.url)).toBeNull();
      await expect(applyMigrations(pgBouncer.url)).rejects.toThrow(DIRECT);
    });

    test('no write of 2,400 fails', { timeout: TIMEOUT }, async () => {
      const server = await startServer({ databaseUrl: pgBouncer.url, env: { DIRECT_DATABASE_URL: database.url } });
      try {
        const { counts, perSecond } = await work(server.origin, 100);
        console.log(`${perSecond} writes per second through PgBouncer`);
        expect(counts).toEqual({ 201: 800, 200: 1_600 });
      } finally {
        await server.stop();
      }
    });

    test('a PgBouncer that keeps no prepared statements is refused', async () => {
      const old = await startPgBouncer(database.url, { max_prepared_statements: '0' });
      await expect(checkPooler(old.url, database.url)).rejects.toThrow('Use PgBouncer 1.21 or newer');
      await old.stop();
    });
  });
