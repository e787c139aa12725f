import { expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { acquireForWrite, type WriteConnection } from '@/lib/platform/write-connection';

/** Begins as many writes of a client as the pool has connections, and returns those that run. */
async function fill(client: string): Promise<WriteConnection[]> {
  const running: WriteConnection[] = [];
  for (let count = 0; count < pool().options.max; count += 1)
    acquireForWrite(client).then(
      (write) => running.push(write),
      () => undefined,
    );
  await pool().query('SELECT 1');
  return running;
}

test('writes of one client use a quarter of the pool, those of all clients half, and reads get the rest', async () => {
  const { max } = pool().options;
  const busy = await fill('busy');
  expect(busy).toHaveLength(Math.ceil(max / 4));
  const other = await fill('other');
  expect(other).toHaveLength(Math.ceil(max / 2) - busy.length);
  expect(await fill('third')).toHaveLength(0);
  const running = [busy, other];
  while (running.some((writes) => writes.length > 0)) {
    for (const writes of running) writes.shift()?.release();
    await pool().query('SELECT 1');
  }
});
