import { beforeAll, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { consumeQuota, readQuota } from '@/lib/platform/rate-limit/rate-limit';
import { changeSettings } from '@/tests/support/fresh-process';
import { testEveryStore } from './every-store';

// With several instances, the rate limits are counted in PostgreSQL.
beforeAll(() => changeSettings({ INSTANCES: '2' }));

testEveryStore();

test('concurrent requests are counted exactly', async () => {
  const ids = [newId('app'), newId('app')];
  const counted = await Promise.all(ids.flatMap((id) => Array.from({ length: 200 }, () => consumeQuota(id, 150))));
  for (const part of [counted.slice(0, 200), counted.slice(200)]) {
    const remaining = part.map(({ remaining }) => remaining).sort((a, b) => b - a);
    expect(remaining).toEqual(Array.from({ length: 200 }, (_, i) => Math.max(0, 149 - i)));
    expect(part.filter(({ exceeded }) => exceeded)).toHaveLength(50);
  }
  for (const id of ids) expect(await readQuota(id, 1_000)).toMatchObject({ remaining: 800 });
});

test('a window that ended begins again with the next request', async () => {
  const id = newId('app');
  await consumeQuota(id, 10);
  await pool().query('UPDATE rate_limits SET expire = expire - 60001 WHERE key = $1', [id]);
  expect(await readQuota(id, 10)).toMatchObject({ remaining: 10, retryAfter: 60 });
  expect(await consumeQuota(id, 10)).toMatchObject({ remaining: 9 });
});

test('while the table is locked, the process counts in its memory after a second', async () => {
  const id = newId('app');
  await consumeQuota(id, 10);
  const client = await pool().connect();
  await client.query('BEGIN; LOCK rate_limits IN ACCESS EXCLUSIVE MODE');
  const begun = performance.now();
  const quotas = await Promise.all([consumeQuota(id, 10), readQuota(newId('app'), 10)]);
  expect(performance.now() - begun).toBeLessThan(4_000);
  await client.query('ROLLBACK');
  client.release();
  expect(quotas).toMatchObject([{ remaining: 9 }, { remaining: 10 }]);
});

test('a request can count more than once', async () => {
  const id = newId('app');
  const counted = [await consumeQuota(id, 10, 3), await consumeQuota(id, 10, 7), await consumeQuota(id, 10)];
  expect(counted).toMatchObject([
    { remaining: 7, exceeded: false },
    { remaining: 0, exceeded: false },
    { remaining: 0, exceeded: true },
  ]);
});
