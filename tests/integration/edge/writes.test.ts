import { expect, it } from 'vitest';
import { cancelBooking, createBooking } from '@/lib/contract/operations';
import { actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer } from '@/tests/support/server';

const program = ['--import', './tests/support/count-writes.mjs', '.next/server.mjs'];

it('each response leaves in one write: pages, bookings, refusals, and compressed pages', async () => {
  const database: OwnDatabase = await ownDatabase();
  const { service, location, key } = await makeBusiness({ quota: 20 });
  const server = await startServer({ databaseUrl: database.url, program });
  const client = createClient({ origin: server.origin, key });
  const statuses: number[] = [];
  const send = async (answer: Promise<{ status: number }>) => statuses.push((await answer).status);
  const body = { service_id: service.id, location_id: location.id, date: dayAhead() };
  const more = { external_reference: 'order-4711', customer: CUSTOMER };
  for (const start_time of ['09:00', '11:00']) {
    const created = await post(client, BOOKINGS, createBooking, { ...body, ...more, start_time });
    await send(Promise.resolve(created));
    await send(client(`${BOOKINGS}/${created.data.booking.reference}`));
    await send(
      post(client, actionPath(created.data.booking.reference, 'cancel'), cancelBooking, { expected_version: 1 }),
    );
  }
  await send(client(`${CATALOG}?limit=none`));
  await send(client(`${CATALOG}/unknown`));
  await send(createClient({ origin: server.origin })(CATALOG));
  // This request gets a compressed response, because `fetch` accepts gzip. `client` does not.
  await send(fetch(`${server.origin}${CATALOG}`, { headers: { authorization: `Bearer ${key}` } }));
  // These requests use up the quota, so the last of them are refused with a 429.
  for (let i = 0; i < 20; i += 1) await send(client(CATALOG));
  await server.stop();
  expect([...new Set(statuses)].sort()).toEqual([200, 201, 400, 401, 404, 429]);
  expect(server.errors()).toContain(`client writes: ${statuses.length}\n`);
  await database.drop();
});
