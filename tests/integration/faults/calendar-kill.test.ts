import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addCalendar } from '@/lib/booking/calendars/calendars';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { createResolve } from '@/lib/webhooks/addresses';
import { createSender } from '@/lib/webhooks/send';
import { dayAhead } from '@/tests/support/bookings';
import { makeLocation, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

let database: OwnDatabase;
let server: TestServer;
const feed = { hours: ['09'], hangs: false, asked: 0 };
const calendar = http.createServer((_, response) => {
  feed.asked += 1;
  if (feed.hangs) return;
  const events = feed.hours.flatMap((hour) => [
    ...['BEGIN:VEVENT', `UID:${hour}`, `DTSTART:${dayAhead().replaceAll('-', '')}T${hour}0000`, 'DURATION:PT30M'],
    'END:VEVENT',
  ]);
  response.end(['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR', ''].join('\r\n'));
});

beforeAll(async () => {
  database = await ownDatabase();
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  await new Promise<void>((resolve) => calendar.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await server?.stop();
  calendar.closeAllConnections();
  calendar.close();
  await database.drop();
});

const start = async (scheduler: Record<string, string>) => {
  const settings = { WEBHOOKS_ALLOW_LOOPBACK: '1', SECRET_KEY: env().SECRET_KEY };
  server = await startServer({ databaseUrl: database.url, env: { ...settings, ...scheduler } });
};

test('a server that is killed while it fetches a calendar loses and doubles no busy time, with both schedulers', async () => {
  const tenant = await makeTenant();
  const location = await makeLocation(tenant.id);
  const { port } = calendar.address() as AddressInfo;
  const by = { tenantId: tenant.id, actor: { kind: 'system' } as const };
  const { id } = await addCalendar(new Date(), by, {
    subject: { specialistId: null, locationId: location.id },
    url: `http://127.0.0.1:${port}/basic.ics`,
    choices: { name: 'Room', show_titles: false, block_when_stale: false },
    sender: createSender({ allowLoopback: true, resolve: createResolve() }),
  });
  const times = async () => {
    const blocks = await db().block.findMany({
      where: { calendarId: id },
      include: { days: true },
      orderBy: { startsAt: 'asc' },
    });
    return blocks.map(({ startsAt, days }) => `${startsAt.toISOString().slice(11, 13)} ${days.length}`);
  };
  Object.assign(feed, { hangs: true, asked: 0, hours: ['09', '11', '13'] });
  await database.query('UPDATE calendars SET next_attempt_at = now()');
  await start({});
  await until(
    async () => feed.asked,
    (asked) => asked > 0,
  );
  await server.kill();
  expect(await times()).toEqual(['09 1']);
  feed.hangs = false;
  // As if the minute of the lease had passed.
  await database.query('UPDATE calendars SET leased_until = now()');
  await start({ INNGEST_DEV: 'http://127.0.0.1:4321' });
  await until(times, (found) => found.length === 3);
  expect(await times()).toEqual(['09 1', '11 1', '13 1']);
});
