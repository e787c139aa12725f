import { afterAll, expect, test } from 'vitest';
import { adminUrl, createDatabase, openPool } from '@/tests/support/database';
import { holdLock } from '@/tests/support/held-lock';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { until } from '@/tests/support/until';

/** Maximum milliseconds until the started process waits for the locked table. A busy machine takes long. */
const PATIENCE = 120_000;

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

const CLOSE = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = $1 AND wait_event_type = 'Lock'`;

const ENDS = [
  ['dies', 'ALLOW_CONNECTIONS false', /^The database cannot be reached: .* is not currently accepting connections\.$/],
  ['closes its connections', '', 'The database closed a connection. Run the command again.'],
] as const;

test.concurrent.for(ENDS)(
  'a database that %s while it is filled is reported in one sentence',
  { timeout: 2 * PATIENCE },
  async ([, alter, sentence]) => {
    const { url, drop } = await createDatabase();
    const pool = openPool(adminUrl(), 1);
    const name = new URL(url).pathname.slice(1);
    const held = await holdLock(url, 'LOCK TABLE audit_log IN ACCESS EXCLUSIVE MODE');
    const start = launch({ DATA_DIR: await freshDataDir(), DATABASE_URL: url });
    await until(held.waiting, (count) => count > 0, PATIENCE);
    if (alter) await pool.query(`ALTER DATABASE "${name}" ${alter}`);
    await pool.query(CLOSE, [name]);
    expect(await start.ended()).toBe(1);
    const lines = start
      .output()
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith(' …'));
    expect(lines).toEqual([typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)]);
    await held.release();
    await pool.end();
    await drop();
  },
);
