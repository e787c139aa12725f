import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { createClient } from '@/tests/support/client';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { DAY, sandboxOf } from '@/tests/support/sandbox';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

let database: OwnDatabase;
let servers: TestServer[] = [];
let receiver: Receiver;

beforeAll(async () => {
  database = await ownDatabase();
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  receiver = await startReceiver(status(500));
  const settings = { INSTANCES: '2', WEBHOOKS_ALLOW_LOOPBACK: '1', SECRET_KEY: env().SECRET_KEY };
  const start = () => startServer({ databaseUrl: database.url, env: settings });
  servers = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await receiver.close();
  await database.drop();
});

test('an advanced clock brings one attempt of a delivery after the other, and every instance knows it', async () => {
  const { key, emit, applicationId } = await makeWebhook(receiver.url);
  const clocks = servers.map(({ origin }) => sandboxOf(key, createClient({ origin, key })));
  const [id = ''] = await emit();
  for (let attempt = 1; attempt <= 9; attempt += 1) {
    const delivery = await until(
      () => db().delivery.findUniqueOrThrow({ where: { id } }),
      ({ scheduledAttempts }) => scheduledAttempts === attempt,
    );
    expect([attempt, delivery.state]).toEqual([attempt, attempt === 9 ? 'succeeded' : 'pending']);
    if (attempt === 8) receiver.answer(status(200));
    const [here, there] = attempt % 2 === 0 ? clocks : clocks.toReversed();
    await here?.advance(2 * DAY);
    expect((await there?.advance(0))?.data.clock.offset_seconds).toBe(attempt * 2 * DAY);
  }
  const attempts = receiver.received.map(({ headers }) => headers['webhook-attempt']);
  expect(attempts).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  // Receivers compare the time of an attempt with their own clock.
  for (const { headers } of receiver.received)
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(120);
  expect((await db().webhookEndpoint.findUniqueOrThrow({ where: { applicationId } })).state).toBe('active');
}, 120_000);
