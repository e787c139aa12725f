import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { leaseDue } from '@/lib/webhooks/lease';
import { startWorker } from '@/lib/webhooks/worker';
import { makeApplication } from '@/tests/support/factories';
import { hang, startReceiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { addEndpoint, dependenciesOf, manualClock } from '@/tests/support/webhooks';
import { stageOfEachTest } from './stage';

const stage = stageOfEachTest();

/** Creates endpoints of one tenant at `url`, each with due deliveries. Returns the ids of their applications. */
async function waiting(endpoints: number, url: string, deliveries: number): Promise<string[]> {
  const tenantId = stage.webhook.tenant.id;
  const create = async () => {
    const { applicationId } = await makeApplication(tenantId);
    const { emit } = await addEndpoint(tenantId, applicationId, url, stage.clock.now());
    await emit(deliveries);
    return applicationId;
  };
  const created: string[] = [];
  // The endpoints are created one after another, because many concurrent transactions would wait too long for a
  // connection on a busy machine.
  while (created.length < endpoints) created.push(await create());
  return created;
}

test('a healthy endpoint gets its events while seventy other receivers hang', { timeout: 60_000 }, async () => {
  const dead = await startReceiver(hang);
  await waiting(70, dead.url, 2);
  const worker = startWorker({ ...dependenciesOf(manualClock()), clock: () => new Date() });
  try {
    // Waits until each of the 70 endpoints has a hung attempt. 70 attempts are more than `MAX_FURTHER` of the worker,
    // so the worker starts no second attempt for any endpoint.
    const running = () => db().delivery.count({ where: { leasedUntil: { not: null } } });
    await until(running, (count) => count >= 70);
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
