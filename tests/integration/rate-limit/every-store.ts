import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { consumeFailure, consumeQuota, failureQuota, readQuota } from '@/lib/platform/rate-limit/rate-limit';
import { freshAddress } from '@/tests/support/client';

/** Declares the tests that every rate limit store must pass. */
export function testEveryStore(): void {
  test('the quota’s numbers in a 60-second window are consistent', async () => {
    const id = newId('app');
    expect(await readQuota(id, 3)).toMatchObject({ limit: 3, remaining: 3, retryAfter: 60, exceeded: false });
    const seen = [];
    for (let i = 0; i < 5; i += 1) {
      const quota = await consumeQuota(id, 3);
      seen.push([quota.remaining, quota.exceeded]);
      const wait = quota.reset - Date.now() / 1000;
      expect(wait).toBeGreaterThan(0);
      expect(wait).toBeLessThanOrEqual(61);
      expect([quota.reset, quota.retryAfter].every(Number.isInteger)).toBe(true);
      expect(Math.abs(quota.retryAfter - wait)).toBeLessThanOrEqual(2);
    }
    expect(seen).toEqual([
      [2, false],
      [1, false],
      [0, false],
      [0, true],
      [0, true],
    ]);
  });

  test('reading the quota does not count, and a changed limit applies to the used quota', async () => {
    const id = newId('app');
    for (let i = 0; i < 5; i += 1) await consumeQuota(id, 100);
    for (let i = 0; i < 3; i += 1) expect(await readQuota(id, 100)).toMatchObject({ remaining: 95 });
    expect(await readQuota(id, 3)).toMatchObject({ limit: 3, remaining: 0 });
  });

  test('an address has 30 failures, independent of other addresses', async () => {
    const address = freshAddress();
    expect(await failureQuota(address)).toMatchObject({ limit: 30, remaining: 30, exceeded: false });
    for (let i = 1; i <= 30; i += 1) {
      expect(await consumeFailure(address)).toMatchObject({ remaining: 30 - i, exceeded: false });
    }
    expect(await consumeFailure(address)).toMatchObject({ remaining: 0, exceeded: true });
    expect(await failureQuota(freshAddress())).toMatchObject({ remaining: 30 });
  });

  test('the addresses of an IPv6 /64 share their failures', async () => {
    const network = `2001:db8:${randomInt(65_536).toString(16)}:${randomInt(65_536).toString(16)}`;
    await consumeFailure(`${network}::1`);
    expect(await consumeFailure(`${network}:ffff::2`)).toMatchObject({ remaining: 28 });
    expect(await failureQuota(`${network}::3`)).toMatchObject({ remaining: 28 });
  });

  test('an application and an address of the same name are counted separately', async () => {
    const address = freshAddress();
    await consumeFailure(address);
    expect(await readQuota(address, 30)).toMatchObject({ remaining: 30 });
  });
}
