import { expect, test } from 'vitest';
import { dayAhead, makeDesk } from '@/tests/support/bookings';

test('counts one request for each 100 specialist days that it has begun', async () => {
  const { slots, service, ids } = await makeDesk({ specialists: 7, policy: { quota: 20 } });
  const wide = { service_id: service.id, date: dayAhead(7), date_to: dayAhead(37) };
  const left = [
    await slots({ service_id: service.id, date: dayAhead() }),
    await slots({ ...wide, date_to: dayAhead(20) }),
    await slots({ ...wide, date_to: dayAhead(21) }),
    await slots(wide),
    await slots({ ...wide, specialist_id: ids[0] ?? '' }),
    await slots({ ...wide, limit: 1 }),
  ];
  // A read costs one request per 100 specialist days (specialists times days, contract B9), rounded up. The reads of 7,
  // 98, 105, 217, 31, and 217 specialist days therefore cost 1, 1, 2, 3, 1, and 3 requests.
  const remaining = left.map(({ status, headers }) => [status, headers['x-ratelimit-remaining']]);
  expect(remaining).toEqual(['19', '18', '16', '13', '12', '9'].map((count) => [200, count]));
});

test('a read that costs more than is left is answered, and the next request is refused', async () => {
  const { slots, service } = await makeDesk({ specialists: 4, policy: { quota: 1 } });
  const wide = { service_id: service.id, date: dayAhead(7), date_to: dayAhead(37) };
  const first = await slots(wide);
  expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
  const refused = await slots({ service_id: service.id, date: dayAhead() });
  expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
});

test('a read that resolution refuses counts once', async () => {
  const { slots, service } = await makeDesk({ specialists: 4, policy: { quota: 9 } });
  const wide = { service_id: `${service.id}x`, date: dayAhead(7), date_to: dayAhead(37) };
  const refused = await slots(wide);
  expect([refused.status, refused.headers['x-ratelimit-remaining']]).toEqual([404, '8']);
});
