import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkInngest } from '@/lib/operations/doctor/network';
import { secretsFingerprint } from '@/lib/operations/environment/claim';
import { readInngest } from '@/lib/operations/inngest';
import { db } from '@/lib/platform/db';
import { inngestSettings, parseSettings } from '@/lib/platform/env';
import { expectFound } from '@/tests/support/findings';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startReceiver } from '@/tests/support/receiver';
import { startServer, TEST_SECRET } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';

/** The URL of a real Inngest server, with its keys: `http://<event key>:<signing key>@127.0.0.1:8288`. */
const { INNGEST_TEST_URL } = process.env;
const { origin, username, password } = new URL(INNGEST_TEST_URL ?? 'http://localhost');

/** Returns the settings of a server that uses the real Inngest, with this event key. */
const settings = (eventKey = username) => ({
  INNGEST_BASE_URL: origin,
  INNGEST_EVENT_KEY: eventKey,
  INNGEST_SIGNING_KEY: password,
  WEBHOOKS_ALLOW_LOOPBACK: '1',
});

const doctor = (eventKey?: string) => checkInngest(inngestSettings(parseSettings(settings(eventKey))));
const status = () => readInngest(new Date());

describe('a real Inngest server', () => {
  let database: OwnDatabase;

  beforeAll(async () => {
    database = await ownDatabase();
    const fingerprint = secretsFingerprint({ environment: 'TEST', secretKey: TEST_SECRET });
    await db().environment.create({ data: { name: 'TEST', secretsFingerprint: fingerprint } });
  });

  afterAll(async () => {
    await database.drop();
  });

  test('delivers events once, also while an attempt hangs', async () => {
    const server = await startServer({ databaseUrl: database.url, env: settings() });
    const receiver = await startReceiver((one, res) => {
      if (one.headers['webhook-attempt'] !== '1' || receiver.received.length > 1) res.end();
    });
    try {
      await until(status, ({ registered }) => registered);
      await expectFound(doctor(), 'ok', 'has the functions');
      const webhook = await makeWebhook(receiver.url);
      const [slow = ''] = await webhook.emit();
      await until(
        async () => receiver.received.length,
        (count) => count === 1,
      );
      const ids = await webhook.emit(20);
      const isSent = (all: { id: string; state: string }[]) =>
        all.every(({ id, state }) => id === slow || state === 'succeeded');
      await until(webhook.deliveries, isSent, 10_000);
      const received = receiver.received.map(({ headers }) => headers['webhook-id']);
      expect(received.sort()).toEqual([slow, ...ids].map((id) => `evt_${id.slice(4)}`).sort());
    } finally {
      await receiver.close();
      await server.stop();
    }
  });

  test('refuses a wrong event key, which is seen within ten seconds', async () => {
    const server = await startServer({ databaseUrl: database.url, env: settings('wrong-key') });
    try {
      await until(status, ({ problem }) => problem === 'events: HTTP 401', 10_000);
      await expectFound(doctor('wrong-key'), 'wrong', 'events: HTTP 401');
    } finally {
      await server.stop();
    }
  });
});
