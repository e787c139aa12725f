import { expect, test } from 'vitest';
import { SCOPES } from '@/lib/contract/common';
import { expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const all = (...without: string[]) => SCOPES.filter((scope) => !without.includes(scope));

test('also requires booking.manage for exclude_reference, before it checks the value', async () => {
  const { slots, service, tenant } = await makeDesk({ policy: { scopes: all('booking.manage') } });
  const manager = partnerOf((await makeApplication(tenant.id)).key);
  const query = { service_id: service.id, date: dayAhead() };
  expect((await slots(query)).status).toBe(200);
  for (const exclude_reference of ['', 'pbr_unknown', `pbr_${'0'.repeat(26)}`]) {
    expectRefusal(await slots({ ...query, exclude_reference }), 403, 'insufficient_scope');
  }
  expectRefusal(await manager.slots({ ...query, exclude_reference: 'pbr_unknown' }), 404, 'not_found');
});

test('returns 403 location for a location of the tenant outside the policy, published or not', async () => {
  const { tenant, location, service, specialists } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] });
  const { slots } = partnerOf(key);
  const query = { service_id: service.id, date: dayAhead() };
  expect((await slots({ ...query, location_id: location.id })).status).toBe(200);
  expect((await slots(query)).status).toBe(200);
  for (const { id } of [elsewhere, closed]) {
    expectRefusal(await slots({ ...query, location_id: id }), 403, 'credential_restricted', 'location');
  }
});

test('returns 403 location for an exclude_reference at a location that the policy no longer covers', async () => {
  const desk = await makeDesk();
  const elsewhere = await makeLocation(desk.tenant.id);
  const other = await makeService(desk.tenant.id);
  await offer(desk.tenant.id, desk.specialists, [other], [elsewhere]);
  const { reference } = await desk.book();
  const query = { service_id: other.id, date: dayAhead(), exclude_reference: reference };
  expect((await desk.slots(query)).status).toBe(400);
  await narrowPolicy(desk, { locationIds: [elsewhere.id] });
  const reply = await until(
    () => desk.slots(query),
    ({ status }) => status !== 400,
  );
  expectRefusal(reply, 403, 'credential_restricted', 'location');
});
