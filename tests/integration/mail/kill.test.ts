import { afterAll, beforeAll, expect, test } from 'vitest';
import { inPool, queueMail } from '@/lib/activity/mail/queue';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { makeTenant } from '@/tests/support/factories';
import { startMailServer } from '@/tests/support/mail-server';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

let database: OwnDatabase;
let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  mail = await startMailServer();
  Object.assign(process.env, mail.settings);
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
});
afterAll(async () => {
  await server?.stop();
  await mail.close();
  await database.drop();
});

const start = async (scheduler: Record<string, string>) => {
  server = await startServer({
    databaseUrl: database.url,
    env: { ...mail.settings, ...scheduler, SECRET_KEY: env().SECRET_KEY },
  });
};

test.each([
  ['the embedded worker', {}],
  ['Inngest', { INNGEST_DEV: 'http://127.0.0.1:4321' }],
])(
  'servers with %s that are killed while they send lose no mail, and send at most one duplicate',
  async (_, scheduler) => {
    const tenant = await makeTenant();
    mail.behave({ onData: () => 'hang' });
    mail.received.length = 0;
    await start(scheduler);
    const facts = { business: 'A', inviter: 'B', url: 'https://booking.example/invite/x', endsAt: new Date() };
    const to = Array.from({ length: 6 }, () => `${newId('usr')}@salon.example`);
    for (const email of to)
      await queueMail(inPool, new Date(), {
        tenantId: tenant.id,
        userId: null,
        email,
        kind: 'invitation',
        cause: email.slice(0, 30),
        facts,
      });
    await until(
      async () => mail.received.length,
      (count) => count > 0,
    );
    await server.kill();
    mail.behave({});
    // As if the 90 seconds of the lease had passed.
    await database.query('UPDATE mails SET leased_until = now() WHERE leased_until IS NOT NULL');
    await start(scheduler);
    await until(
      () => db().mail.count({ where: { tenantId: tenant.id, sentAt: { not: null } } }),
      (sent) => sent === to.length,
    );
    for (const email of to) {
      const copies = mail.received.filter((one) => one.to.includes(email));
      expect(copies.length).toBeGreaterThan(0);
      expect(copies.length).toBeLessThanOrEqual(2);
    }
    expect(mail.received.length).toBeGreaterThan(to.length);
    await server.stop();
  },
);
