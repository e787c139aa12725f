import { mkdir } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { rotateSecret } from '@/lib/operations/rotation/rotate';
import { createDatabase, openPool } from '@/tests/support/database';
import { endLaunches, freshDataDir, launch, removeDataDirs } from '@/tests/support/launcher';
import { TEST_SECRET } from '@/tests/support/server';
import { until } from '@/tests/support/until';

afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
});

test('the command can be killed and run again, and says when the previous secret is no longer needed', async () => {
  const database = await createDatabase();
  const pool = openPool(database.url);
  const claim = { environment: 'TEST', secretKey: 'n'.repeat(32), previousKey: TEST_SECRET } as const;
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: TEST_SECRET });
  const DATA_DIR = await freshDataDir();
  await mkdir(DATA_DIR);
  const settings = {
    DATA_DIR,
    DATABASE_URL: database.url,
    SECRET_KEY: claim.secretKey,
    SECRET_KEY_PREVIOUS: TEST_SECRET,
  };
  const killed = launch(settings, ['rotate-secret']);
  // The rotation has begun, and waits until no server writes with the previous secret.
  await until(
    async () => (await pool.query('SELECT previous_fingerprint FROM environment')).rows,
    ([row]) => row.previous_fingerprint !== null,
  );
  killed.interrupt('SIGKILL');
  await killed.ended();
  await rotateSecret(database.url, claim, { say: () => {}, signal: new AbortController().signal, settle: 0 });
  const again = launch(settings, ['rotate-secret']);
  expect(await again.ended()).toBe(0);
  expect(again.output()).toContain(
    '0 values were encrypted again. All values are now encrypted with SECRET_KEY.\nRestart the servers without SECRET_KEY_PREVIOUS.\n',
  );
  await pool.end();
  await database.drop();
});
