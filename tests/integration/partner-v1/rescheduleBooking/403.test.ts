import { expect, test } from 'vitest';
import { SCOPES } from '@/lib/contract/common';
import { everythingOf, expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { until } from '@/tests/support/until';

const BODY = { expected_version: 1, date: dayAhead(), start_time: '12:00' };

test('booking.manage is needed, and no other scope replaces it', async () => {
  const desk = await makeDesk({ policy: { scopes: SCOPES.filter((scope) => scope !== 'booking.manage') } });
  const { reference } = await desk.book();
  expectRefusal(await desk.reschedule(reference, BODY), 403, 'insufficient_scope');
});

test('a booking at a location that was since taken from the policy is forbidden, whatever is asked', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await narrowPolicy(desk, { locationIds: [] });
  await until(
    () => desk.read(reference),
    ({ status }) => status === 403,
  );
  const before = await everythingOf(desk.tenant.id);
  for (const more of [{}, { expected_version: 7 }, { date: '2020-01-01' }, { specialist_id: 'spc_unknown' }]) {
    const reply = await desk.reschedule(reference, { ...BODY, ...more });
    expectRefusal(reply, 403, 'credential_restricted', 'location');
  }
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});
