import { expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { BOOKINGS, dayAhead, makeDesk } from '@/tests/support/bookings';

test('counts all booking routes against one quota of the application', async () => {
  const { slots, service, read, create, body, client } = await makeDesk({ policy: { quota: 4 } });
  const left = [
    await slots({ service_id: service.id, date: dayAhead() }),
    await create(body()),
    await read(newBookingReference()),
    await client(BOOKINGS),
  ];
  expect(left.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
    [200, '3'],
    [201, '2'],
    [404, '1'],
    [400, '0'],
  ]);
  for (const refused of [await slots({}), await create(body()), await read(newBookingReference())]) {
    expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
  }
});
