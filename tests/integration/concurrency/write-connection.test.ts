import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { acquireForWrite, type WriteConnection } from '@/lib/platform/write-transaction';

/** Begins as many writes of a client of a tenant as the pool has connections. Returns the list of those that run. */
function begin(client: string, tenantId = client): WriteConnection[] {
  const running: WriteConnection[] = [];
  for (let count = 0; count < env().DATABASE_POOL; count += 1)
    acquireForWrite(tenantId, client).then(
      (write) => running.push(write),
      () => undefined,
    );
  return running;
}

test('writes of one client use a quarter of the pool, those of all clients three quarters, and reads get the rest', async () => {
  const max = env().DATABASE_POOL;
  const busy = begin('busy');
  const other = begin('other');
  const third = begin('third');
  await expect.poll(() => busy.length + other.length + third.length).toBe(Math.ceil((3 * max) / 4));
  await pool().query('SELECT 1');
  expect(busy).toHaveLength(Math.ceil(max / 4));
  expect(other).toHaveLength(Math.ceil(max / 4));
  let released = 0;
  await expect
    .poll(() => {
      for (const write of [...busy.splice(0), ...other.splice(0), ...third.splice(0)]) {
        write.release();
        released += 1;
      }
      return released;
    })
    .toBe(3 * max);
});

test('writes of all applications of a tenant use half of the pool, and another tenant does not wait', async () => {
  const max = env().DATABASE_POOL;
  const applications = ['first', 'second', 'third'].map((name) => begin(name, 'busy'));
  const running = () => applications.reduce((sum, { length }) => sum + length, 0);
  await expect.poll(running).toBe(Math.ceil(max / 2));
  (await acquireForWrite('quiet')).release();
  expect(running()).toBe(Math.ceil(max / 2));
  let released = 0;
  await expect
    .poll(() => {
      for (const write of applications.flatMap((writes) => writes.splice(0))) {
        write.release();
        released += 1;
      }
      return released;
    })
    .toBe(3 * max);
});
