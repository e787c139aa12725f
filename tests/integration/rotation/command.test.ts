import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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
  const file = join(DATA_DIR, 'secrets.json');
  const postgres = { password: 'p', cluster_id: 'c' };
  await writeFile(file, JSON.stringify({ environment: 'TEST', secret_key: TEST_SECRET, postgres }));
  const settings = {
    DATA_DIR,
    DATABASE_URL: database.url,
    SECRET_KEY: claim.secretKey,
    SECRET_KEY_PREVIOUS: TEST_SECRET,
  };
  const options = { say: () => {}, signal: new AbortController().signal, settle: 0 };
  // With the values of SECRET_KEY and SECRET_KEY_PREVIOUS swapped, the command cancels the unfinished rotation
  // (docs/rotation.md).
  const canceled = { ...claim, secretKey: TEST_SECRET, previousKey: claim.secretKey };
  await expect(rotateSecret(database.url, canceled, options)).rejects.toThrow(
    'If you swapped the two keys, set SECRET_KEY to the new key',
  );
  // With DATABASE_URL and SECRET_KEY, the command needs no data directory.
  const elsewhere = { ...settings, DATA_DIR: join(DATA_DIR, 'absent', 'data') };
  const killed = launch(elsewhere, ['rotate-secret']);
  // The rotation has begun, and now waits until no server writes with the previous secret.
  await until(
    async () => (await pool.query('SELECT previous_fingerprint FROM environment')).rows,
    ([row]) => row.previous_fingerprint !== null,
  );
  killed.interrupt('SIGKILL');
  await killed.ended();
  await rotateSecret(database.url, canceled, options);
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: TEST_SECRET });
  await rotateSecret(database.url, claim, { ...options, back: true });
  const again = launch(settings, ['rotate-secret']);
  expect(await again.ended()).toBe(0);
  expect(again.output()).toContain(
    '0 values were encrypted again. All values are now encrypted with SECRET_KEY.\nRestart the servers without SECRET_KEY_PREVIOUS.\n',
  );
  expect(again.output()).toContain(`Keep SECRET_KEY set. ${file} still contains the old key: `);
  await pool.end();
  await database.drop();
});
