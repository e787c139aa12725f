import { expect, test } from 'vitest';
import { expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

test('returns 403 location while the policy does not cover the location, and 200 once it does again', async () => {
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

test('returns 404, not 403, for a booking of another application at a location outside the policy', async () => {
  const { tenant, book } = await makeDesk();
  const { reference } = await book();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [] });
  expectRefusal(await partnerOf(key).read(reference), 404, 'not_found');
});
