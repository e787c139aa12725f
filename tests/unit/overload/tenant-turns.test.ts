import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { resetSingleton } from '@/lib/platform/singleton';
import { inControlCenter } from '@/lib/platform/tenant-scope';
import { takeOwnTurn } from '@/lib/platform/tenant-turns';

beforeAll(() => {
  Object.assign(process.env, {
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    SECRET_KEY: 'x'.repeat(32),
    DATABASE_POOL: '16',
  });
  resetSingleton('env');
});

const tenant = (last: string) => `ten_01jd8x4t5wf3rbq0zk6m7n8p9${last}`;

/** Uses a turn of a tenant for `work` milliseconds. Returns how long it waited. */
const use = (tenantId: string, work: number) =>
  inControlCenter(tenantId, async () => {
    const begun = performance.now();
    const end = await takeOwnTurn();
    const waited = performance.now() - begun;
    await delay(work);
    end();
    return waited;
  });

test('tenants that have used too much leave their turns to others while they wait', async () => {
  let running = true;
  const busy = ['a', 'b', 'c', 'd', 'e'].flatMap((last) =>
    Array.from({ length: 6 }, async () => {
      while (running) await use(tenant(last), 250).catch(() => delay(50));
    }),
  );
  await delay(3_000);
  const waits = [];
  for (let call = 0; call < 8; call += 1) waits.push(await use(tenant('z'), 1));
  running = false;
  waits.sort((a, b) => a - b);
  expect(waits[4]).toBeLessThan(200);
  await Promise.all(busy);
}, 20_000);
