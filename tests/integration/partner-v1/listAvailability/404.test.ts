import { expect, test } from 'vitest';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';

async function expectNotFound(more: Record<string, string>, from: Pick<Desk, 'slots'>) {
  const reply = await from.slots({ date: dayAhead(), ...more });
  expect([more, reply.status]).toEqual([more, 404]);
}

test('returns 404 for unpublished services, locations and specialists of the same tenant', async () => {
  const { tenant, location, service, specialists, key } = await makeDesk();
  const [draft, closed, away] = await Promise.all([
    makeService(tenant.id, { published: false }),
    makeLocation(tenant.id, { published: false }),
    makeSpecialist(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, [...specialists, away], [draft, service], [location, closed]);
  const partner = partnerOf(key);
  await expectNotFound({ service_id: draft.id }, partner);
  await expectNotFound({ service_id: service.id, location_id: closed.id }, partner);
  await expectNotFound({ service_id: service.id, location_id: location.id, specialist_id: away.id }, partner);
  expect((await partner.slots({ service_id: service.id, date: dayAhead() })).status).toBe(200);
});

test('returns 404 for a service that no allowed location offers, with or without location_id', async () => {
  const { tenant, service, specialists } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  const [nowhere, closedOnly] = await Promise.all([makeService(tenant.id), makeService(tenant.id)]);
  await offer(tenant.id, specialists, [closedOnly], [closed]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id, closed.id] });
  for (const { id } of [service, nowhere, closedOnly]) {
    await expectNotFound({ service_id: id }, partnerOf(key));
    await expectNotFound({ service_id: id, location_id: elsewhere.id }, partnerOf(key));
  }
});

test('returns 404 to an application without locations', async () => {
  const { tenant, service } = await makeDesk();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [] });
  await expectNotFound({ service_id: service.id }, partnerOf(key));
});
