import { expect, test } from 'vitest';
import { everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { revokeLocations } from '../booking-states';

const BODY = { expected_version: 1, date: dayAhead(), start_time: '12:00' };

test('returns 403 location, whatever the body, once the policy no longer covers the location', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await revokeLocations(desk, reference);
  const before = await everythingOf(desk.tenant.id);
  for (const more of [{}, { expected_version: 7 }, { date: '2020-01-01' }, { specialist_id: 'spc_unknown' }]) {
    const reply = await desk.reschedule(reference, { ...BODY, ...more });
    expectRefusal(reply, 403, 'credential_restricted', 'location');
  }
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});
