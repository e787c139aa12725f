import pg from 'pg';
import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { deliver } from '@/lib/webhooks/deliver';
import { leaseDue } from '@/lib/webhooks/lease';
import { startWorker } from '@/lib/webhooks/worker';
import { makeApplication } from '@/tests/support/factories';
import { hang, startReceiver, status } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { addEndpoint, dependenciesOf, manualClock } from '@/tests/support/webhooks';
import { stageOfEachTest } from './stage';

// The last test records five outcomes at the same time, each on its own connection.
process.env.DATABASE_POOL = '6';
const stage = stageOfEachTest();

/** Creates endpoints at `url` for one tenant, with due deliveries. Returns the ids of the endpoints' applications. */
async function waiting(endpoints: number, url: string, deliveries: number): Promise<string[]> {
  const tenantId = stage.webhook.tenant.id;
  const create = async () => {
    const { applicationId } = await makeApplication(tenantId);
    const { emit } = await addEndpoint(tenantId, applicationId, url, stage.clock.now());
    await emit(deliveries);
    return applicationId;
  };
  const created: string[] = [];
  // The endpoints are created one after another, because concurrent transactions would wait too long for a
  // connection.
  while (created.length < endpoints) created.push(await create());
  return created;
}

test('a healthy endpoint gets its events while fifty other receivers hang', { timeout: 60_000 }, async () => {
  const dead = await startReceiver(hang);
  await waiting(50, dead.url, 2);
  const worker = startWorker({ ...dependenciesOf(manualClock()), clock: () => new Date() });
  try {
    // Each of the 50 endpoints has one hung attempt. With this many running attempts, no endpoint gets a second running
    // attempt (`MAX_FURTHER` in worker.ts).
    const running = () => db().delivery.count({ where: { leasedUntil: { not: null } } });
    await until(running, (count) => count >= 50);
    await stage.webhook.emit(5, new Date());
    await until(stage.webhook.deliveries, (all) => all.every(({ state }) => state === 'succeeded'));
  } finally {
    await dead.close();
    await worker.stop();
  }
});

test('failing endpoints come last and get at most half of the attempts', async () => {
  const failing = await waiting(6, stage.receiver.url, 1);
  await stage.database.query('UPDATE webhook_endpoints SET failing = true WHERE application_id = ANY ($1)', [failing]);
  stage.clock.advance(100);
  await stage.webhook.emit(1, stage.clock.now());
  const startedAt = await leaseDue(stage.clock.now(), 8);
  expect(startedAt.filter((lease) => lease.failing)).toHaveLength(4);
  expect(startedAt.map(({ applicationId }) => applicationId)).toContain(stage.webhook.applicationId);
  expect(await leaseDue(stage.clock.now(), 1)).toMatchObject([{ failing: true }]);
});

test('at most four tests of an endpoint run at the same time, beside its other attempts', async () => {
  const ids = await stage.webhook.emit(11, stage.clock.now());
  await stage.database.query('UPDATE deliveries SET test = true WHERE id = ANY ($1)', [ids.slice(5)]);
  const first = await leaseDue(stage.clock.now(), 64);
  expect(first.filter((lease) => lease.test)).toHaveLength(4);
  expect(first.filter((lease) => !lease.test)).toHaveLength(4);
  expect(await leaseDue(stage.clock.now(), 64)).toEqual([]);
});

test('a success is recorded while failures wait for their turn', async () => {
  const broken = await startReceiver(status(500));
  const failing = await waiting(6, broken.url, 1);
  const [success = ''] = await stage.webhook.emit(1, stage.clock.now());
  // Locks the rows of the six failing endpoints. At most four failures are recorded at the same time. Four failures
  // therefore wait for these locks, and two wait until one of the four is recorded.
  const other = new pg.Client({ connectionString: stage.database.url });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT FROM webhook_endpoints WHERE application_id = ANY ($1) FOR UPDATE', [failing]);
  const dependencies = dependenciesOf(stage.clock);
  const leases = await leaseDue(stage.clock.now(), 64);
  expect(leases).toHaveLength(7);
  const failures = leases
    .filter(({ deliveryId }) => deliveryId !== success)
    .map((lease) => deliver(dependencies, lease));
  const blocked = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await until(
    async () => (await other.query(blocked)).rows[0].count,
    (count) => count === 4,
  );
  await Promise.all(
    leases.filter(({ deliveryId }) => deliveryId === success).map((lease) => deliver(dependencies, lease)),
  );
  expect(await db().delivery.findUnique({ where: { id: success } })).toMatchObject({ state: 'succeeded' });
  expect(await db().delivery.count({ where: { scheduledAttempts: 1, state: 'pending' } })).toBe(0);
  await other.query('COMMIT');
  await Promise.all(failures);
  expect(await db().delivery.count({ where: { scheduledAttempts: 1, state: 'pending' } })).toBe(6);
  await other.end();
  await broken.close();
});
