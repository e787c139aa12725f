import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { countRows, NOTHING } from '@/tests/support/booking-rows';
import { type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';

let desk: Desk;
let otherDesk: Desk;

beforeAll(async () => {
  [desk, otherDesk] = await Promise.all([makeDesk(), makeDesk()]);
});

async function expectNotFound(more: Record<string, unknown>, from: Pick<Desk, 'create'> = desk) {
  const reply = await from.create(desk.body('10:00', more));
  expect([more, reply.status, reply.error?.code]).toEqual([more, 404, 'not_found']);
  return reply;
}

test('names the location first, then the service', async () => {
  const [service_id, location_id, specialist_id] = [otherDesk.service.id, otherDesk.location.id, otherDesk.ids[0]];
  const all = await expectNotFound({ service_id, location_id, specialist_id });
  expect(all.error.fields).toEqual([{ path: 'location_id', message: 'is not known' }]);
  const some = await expectNotFound({ service_id, specialist_id });
  expect(some.error.fields).toEqual([{ path: 'service_id', message: 'is not known' }]);
});

test('returns 404 for a service that no allowed location offers, published or not', async () => {
  const { tenant, service, specialists, location } = await makeDesk();
  const elsewhere = await makeLocation(tenant.id);
  const [nowhere, draft] = await Promise.all([makeService(tenant.id), makeService(tenant.id, { published: false })]);
  await offer(tenant.id, specialists, [draft], [location]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id] });
  for (const { id } of [service, nowhere, draft]) {
    await expectNotFound({ service_id: id, location_id: undefined }, partnerOf(key));
    await expectNotFound({ service_id: id, location_id: elsewhere.id }, partnerOf(key));
  }
  expect(await countRows(tenant.id)).toEqual(NOTHING);
});

test('returns 404 for a location that is unknown or of another tenant, also to an application with some locations', async () => {
  const { key } = await makeApplication(desk.tenant.id, { allLocations: false, locationIds: [desk.location.id] });
  for (const location_id of [newId('loc'), otherDesk.location.id])
    await expectNotFound({ location_id }, partnerOf(key));
});

test('returns 404 to an application without locations', async () => {
  const { key } = await makeApplication(desk.tenant.id, { allLocations: false, locationIds: [] });
  await expectNotFound({ location_id: undefined }, partnerOf(key));
});
