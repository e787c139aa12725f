import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { startReceiver } from '@/tests/support/receiver';
import type { TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';
import type { Stage } from './stage';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export type Health = { status: number; body: unknown; connection: string };

export async function healthOf({ origin }: TestServer, path = '/api/health'): Promise<Health> {
  const { statusCode, headers, body } = await request(`${origin}${path}`);
  expect(headers['cache-control']).toBe('no-store');
  return { status: statusCode, body: await body.json(), connection: String(headers.connection) };
}

export const isHealthy = ({ status }: Health) => status === 200;

const WARNINGS = ['could not open the connection that polls for changes', 'due deliveries could not be read'];
/** Finds the connection that polls for changes once it has polled. */
const POLLED = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '% listener'
  AND query <> ''`;
/** The duration of an outage in milliseconds. A server that did not limit its warnings would write each several times. */
const OUTAGE = 1_500;

export function healthTests(stage: Stage): void {
  const ask = (path?: string) => healthOf(stage.server, path);
  const healthy = () => until(() => ask(), isHealthy);
  const written = () => WARNINGS.map((message) => stage.server.errors().split(message).length - 1);

  test('the health check follows the state of the database, while the liveness check always succeeds, and each outage is logged once', async () => {
    await healthy();
    const receiver = await startReceiver();
    const webhook = await makeWebhook(receiver.url);
    const before = written();
    const more = () => written().map((count, index) => count - (before[index] ?? 0));
    await stage.database.shut();
    const away = await until(
      () => ask(),
      (reply) => !isHealthy(reply),
    );
    expect(away).toMatchObject({ status: 503, body: { status: 'unavailable' } });
    expect(await ask('/api/health/live')).toMatchObject({ status: 200, body: { status: 'ok' } });
    await delay(OUTAGE);
    await stage.database.open();
    expect(await healthy()).toMatchObject({
      body: {
        status: 'ok',
        version,
        commit: expect.toSatisfy((commit) => commit === null || /^[0-9a-f]{40}$/.test(commit)),
      },
    });
    await webhook.emit();
    await until(
      async () => receiver.received.length,
      (count) => count === 1,
    );
    await receiver.close();
    await until(
      () => stage.database.query(POLLED),
      ({ rows }) => rows.length === 1,
    );
    expect(more()).toEqual([1, 1]);
    await stage.database.shut();
    await delay(OUTAGE);
    await stage.database.open();
    await healthy();
    expect(more()).toEqual([2, 2]);
  });

  test('the health check detects an unresponsive database within seconds, even with many concurrent calls', async () => {
    await healthy();
    stage.proxy.hang();
    const startedAt = performance.now();
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask()));
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
    expect((await ask('/api/health/live')).status).toBe(200);
    stage.proxy.resume();
    await healthy();
  });
}
