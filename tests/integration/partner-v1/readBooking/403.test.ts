import { expect, test } from 'vitest';
import { SCOPES } from '@/lib/contract/common';
import { newBookingReference } from '@/lib/platform/ids';
import { expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

test('booking.manage is needed, and no other scope replaces it, whatever is asked for', async () => {
  const { book, read } = await makeDesk({ policy: { scopes: SCOPES.filter((scope) => scope !== 'booking.manage') } });
  const { reference } = await book();
  for (const asked of [reference, newBookingReference(), 'pbr_x']) {
    expectRefusal(await read(asked), 403, 'insufficient_scope');
  }
});

test('a booking at a location that was since taken from the policy is forbidden, and found again when it is back', async () => {
  const desk = await makeDesk();
  const elsewhere = await makeLocation(desk.tenant.id);
  const { reference } = await desk.book();
  const after = async (locationIds: string[], status: number) => {
    await narrowPolicy(desk, { locationIds });
    return until(
      () => desk.read(reference),
      (reply) => reply.status === status,
    );
  };
  expectRefusal(await after([elsewhere.id], 403), 403, 'credential_restricted', 'location');
  expect((await after([desk.location.id], 200)).data.booking.reference).toBe(reference);
});

test('only what is found can be forbidden: a booking of somebody else at such a location is not found', async () => {
  const { tenant, book } = await makeDesk();
  const { reference } = await book();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [] });
  expectRefusal(await partnerOf(key).read(reference), 404, 'not_found');
});
