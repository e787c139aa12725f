import { expect, test } from 'vitest';
import { SCOPES } from '@/lib/contract/common';
import { everythingOf, expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { until } from '@/tests/support/until';

test('booking.manage is needed, and no other scope replaces it', async () => {
  const { book, cancel } = await makeDesk({ policy: { scopes: SCOPES.filter((scope) => scope !== 'booking.manage') } });
  const { reference } = await book();
  expectRefusal(await cancel(reference), 403, 'insufficient_scope');
});

test('a booking at a location that was since taken from the policy is forbidden, whatever its version and state', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await narrowPolicy(desk, { locationIds: [] });
  await until(
    () => desk.read(reference),
    ({ status }) => status === 403,
  );
  const before = await everythingOf(desk.tenant.id);
  for (const expected_version of [1, 7]) {
    const reply = await desk.cancel(reference, { expected_version });
    expectRefusal(reply, 403, 'credential_restricted', 'location');
  }
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});
