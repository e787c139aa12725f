import { expect, test } from 'vitest';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, offer } from '@/tests/support/factories';

test('returns 403 location for a location of the tenant outside the policy, published or not', async () => {
  const { tenant, location, service, specialists, body } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] });
  const partner = partnerOf(key);
  for (const { id } of [elsewhere, closed]) {
    const reply = await partner.create(body('10:00', { location_id: id }));
    expectRefusal(reply, 403, 'credential_restricted', 'location');
  }
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await partner.create(body('10:00', { location_id: undefined }))).data.booking.location_id).toBe(location.id);
});
