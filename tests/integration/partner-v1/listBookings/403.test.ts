import { expect, test } from 'vitest';
import { expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const QUERY = { external_reference: 'order-4711' };

test('returns 403 location while the policy does not cover the location of a booking, and 200 once it does', async () => {
  const desk = await makeDesk();
  const elsewhere = await makeLocation(desk.tenant.id);
  const { reference } = await desk.book();
  const after = async (locationIds: string[], status: number) => {
    await narrowPolicy(desk, { locationIds });
    return until(
      () => desk.find(QUERY),
      (reply) => reply.status === status,
    );
  };
  expectRefusal(await after([elsewhere.id], 403), 403, 'credential_restricted', 'location');
  expect((await desk.find({ external_reference: 'unknown' })).data.bookings).toEqual([]);
  expect((await after([desk.location.id], 200)).data.bookings.map((one) => one.reference)).toEqual([reference]);
});

test('returns an empty list, not 403, for a booking of another application at a location outside the policy', async () => {
  const { tenant, book } = await makeDesk();
  await book();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [] });
  expect((await partnerOf(key).find(QUERY)).data.bookings).toEqual([]);
});
