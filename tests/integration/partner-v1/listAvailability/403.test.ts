import { expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { expectRefusal, narrowPolicy } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const all = (...without: string[]) => SCOPES.filter((scope) => !without.includes(scope));

test('availability.read is needed, and no other scope replaces it', async () => {
  const { slots, service } = await makeDesk({ policy: { scopes: all('availability.read') } });
  expectRefusal(await slots({ service_id: service.id, date: dayAhead() }), 403, 'insufficient_scope');
});

test('the scope is checked before the query', async () => {
  const { slots } = await makeDesk({ policy: { scopes: [] } });
  expectRefusal(await slots({ limit: 0 }), 403, 'insufficient_scope');
});

test('exclude_reference needs booking.manage too, whatever it names, and is otherwise not looked at', async () => {
  const { slots, service, tenant } = await makeDesk({ policy: { scopes: all('booking.manage') } });
  const manager = partnerOf((await makeApplication(tenant.id)).key);
  const asked = { service_id: service.id, date: dayAhead() };
  expect((await slots(asked)).status).toBe(200);
  for (const exclude_reference of ['', 'pbr_unknown', `pbr_${'0'.repeat(26)}`]) {
    expectRefusal(await slots({ ...asked, exclude_reference }), 403, 'insufficient_scope');
  }
  expectRefusal(await manager.slots({ ...asked, exclude_reference: 'pbr_unknown' }), 404, 'not_found');
});

test('a location of the tenant that the application may not use is forbidden, published or not', async () => {
  const { tenant, location, service, specialists } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] });
  const { slots } = partnerOf(key);
  const asked = { service_id: service.id, date: dayAhead() };
  expect((await slots({ ...asked, location_id: location.id })).status).toBe(200);
  expect((await slots(asked)).status).toBe(200);
  for (const { id } of [elsewhere, closed]) {
    expectRefusal(await slots({ ...asked, location_id: id }), 403, 'credential_restricted', 'location');
  }
});

test('a booking at a location that was since taken from the policy is forbidden as exclude_reference', async () => {
  const desk = await makeDesk();
  const elsewhere = await makeLocation(desk.tenant.id);
  const other = await makeService(desk.tenant.id);
  await offer(desk.tenant.id, desk.specialists, [other], [elsewhere]);
  const { reference } = await desk.book();
  const asked = { service_id: other.id, date: dayAhead(), exclude_reference: reference };
  expect((await desk.slots(asked)).status).toBe(400);
  await narrowPolicy(desk, { locationIds: [elsewhere.id] });
  const reply = await until(
    () => desk.slots(asked),
    ({ status }) => status !== 400,
  );
  expectRefusal(reply, 403, 'credential_restricted', 'location');
});

test('a suspended application is refused', async () => {
  const { slots, tenant, applicationId } = await makeDesk();
  const by = { tenantId: tenant.id, actor: { kind: 'system' } as const, applicationId };
  await setSuspended(new Date(), { ...by, suspended: true });
  expectRefusal(await slots({}), 403, 'credential_restricted', 'suspended');
});
