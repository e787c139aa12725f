import { expect, test } from 'vitest';
import { seedSandbox } from '@/lib/operations/sandbox/seed/sandbox';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { makeTenant } from '@/tests/support/factories';
import { type HeldLock, holdLock } from '@/tests/support/held-lock';
import { readMetrics, sumOf } from '@/tests/support/metrics';
import { startReceiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';
import { pairOfFile } from './stage';

const DAY = 86_400_000;
const OLD_ENTRIES = 2_500;
/** Maximum milliseconds to wait until both processes have run their jobs. A busy machine can take this long. */
const PATIENCE = 60_000;

const pair = pairOfFile({ before: fillDatabase });
let held: HeldLock;

async function fillDatabase(): Promise<void> {
  // Makes a reset of the sandbox due, so that both processes find it when they start.
  await seedSandbox(db(), new Date());
  await db().tenant.updateMany({ data: { resetPolicy: 'DAILY', lastResetAt: new Date(Date.now() - 3 * DAY) } });
  await db().service.updateMany({ data: { published: false } });
  const at = new Date(Date.now() - 100 * DAY);
  const entry = { at, method: 'GET', status: 200, durationMs: 1 };
  await db().requestLog.createMany({
    data: Array.from({ length: OLD_ENTRIES }, () => ({ ...entry, requestId: newId('req') })),
  });
  // Holds the lock of a tenant, like a slow reset. Retention stops waiting before the lock is released.
  const { id } = await makeTenant();
  held = await holdLock(pair.database.url, exclusiveTenantLock(id));
}

const servers = () => [pair.one, pair.two];

async function countedByBoth(name: string): Promise<number[]> {
  return Promise.all(servers().map(async ({ origin }) => sumOf(await readMetrics(origin), name)));
}

/**
 * Waits until retention in both processes has skipped the locked tenant and done the rest of its work. Then releases
 * the lock.
 */
async function releaseOnceSkipped(): Promise<void> {
  const outputs = async () => servers().map((server) => server.errors());
  await until(outputs, (texts) => texts.every((text) => /lock timeout.*"job":"prune"/.test(text)), PATIENCE);
  expect(await db().requestLog.count({ where: { at: { lt: new Date(Date.now() - 90 * DAY) } } })).toBe(0);
  await held.release();
}

test('when the nightly reset and the retention job are due in two processes, their work is done once', async () => {
  for (const job of ['reset', 'prune']) {
    const counted = (result: string) => countedByBoth(`partner_booking_jobs_total{job="${job}",result="${result}"}`);
    const errors = () => servers().flatMap((server) => server.errors().match(/.*job failed.*/g) ?? []);
    const runs = async () => ({ done: await counted('done'), failed: await counted('failed'), job, errors: errors() });
    if (job === 'prune') await releaseOnceSkipped();
    const { failed } = await until(runs, ({ done }) => done.every((count) => count === 1), PATIENCE);
    expect(failed).toEqual([0, 0]);
  }
  // Only one of the processes has reset the sandbox.
  expect(await db().auditLog.count({ where: { action: 'sandbox.reset' } })).toBe(1);
  expect(await db().service.count({ where: { published: true } })).toBeGreaterThan(0);
  for (const server of servers()) expect(server.errors()).not.toContain('job failed');
}, 180_000);

test('two workers make each attempt once, and both take part', async () => {
  const receiver = await startReceiver();
  const hooks = await Promise.all(Array.from({ length: 4 }, () => makeWebhook(receiver.url)));
  const attempts = () => countedByBoth('partner_booking_webhook_attempt_duration_seconds_count');
  let emitted = 0;
  // One process can take all deliveries of a round. The round is therefore repeated until both processes have made an
  // attempt.
  const round = async () => {
    for (const hook of hooks) emitted += (await hook.emit(10)).length;
    await until(
      async () => (await Promise.all(hooks.map((hook) => hook.deliveries()))).flat(),
      (rows) => rows.every(({ state }) => state === 'succeeded'),
    );
    return attempts();
  };
  const shares = await until(round, (counts) => counts.every((count) => count > 0), 30_000);
  expect(shares.reduce((sum, count) => sum + count, 0)).toBe(emitted);
  expect(receiver.received).toHaveLength(emitted);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(emitted);
  const rows = (await Promise.all(hooks.map((hook) => hook.deliveries()))).flat();
  expect(new Set(rows.map((row) => row.attempts))).toEqual(new Set([1]));
  await receiver.close();
}, 60_000);
