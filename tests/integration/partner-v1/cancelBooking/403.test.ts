import { expect, test } from 'vitest';
import { everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { revokeLocations } from '../booking-states';

test('returns 403 location, whatever the version, once the policy no longer covers the location', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await revokeLocations(desk, reference);
  const before = await everythingOf(desk.tenant.id);
  for (const expected_version of [1, 7]) {
    const reply = await desk.cancel(reference, { expected_version });
    expectRefusal(reply, 403, 'credential_restricted', 'location');
  }
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});
