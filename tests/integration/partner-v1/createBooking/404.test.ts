import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { comparable, countRows, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';

let desk: Desk;
let otherDesk: Desk;

beforeAll(async () => {
  [desk, otherDesk] = await Promise.all([makeDesk(), makeDesk()]);
});

async function expectNotFound(more: Record<string, unknown>, from: Pick<Desk, 'create'> = desk) {
  const reply = await from.create(desk.body('10:00', more));
  expect([more, reply.status, reply.error?.code]).toEqual([more, 404, 'not_found']);
  return { ...comparable(reply), reply };
}

const MALFORMED = ['', ' ', '*', '../catalog', '\u0000', "' OR 1=1 --", '__proto__', '\ud800', 'x'.repeat(200)];

test('names the field of an unknown id, in byte-identical 404s for ids that are malformed or of another tenant', async () => {
  const unknown: Record<string, unknown> = {};
  for (const [field, id] of [
    ['service_id', newId('svc')],
    ['location_id', newId('loc')],
    ['specialist_id', newId('spc')],
  ] as const) {
    const { reply, ...answer } = await expectNotFound({ [field]: id });
    expect(reply.error.fields).toEqual([{ path: field, message: 'is not known' }]);
    unknown[field] = answer;
  }
  const inputs = [
    { service_id: otherDesk.service.id },
    { location_id: otherDesk.location.id },
    { specialist_id: otherDesk.ids[0] },
    { service_id: otherDesk.service.id, location_id: otherDesk.location.id, specialist_id: otherDesk.ids[0] },
    { location_id: newId('loc') },
    { specialist_id: newId('spc') },
    { service_id: desk.location.id },
    { location_id: desk.service.id },
    { specialist_id: desk.location.id },
    { service_id: desk.service.id.toUpperCase() },
    ...MALFORMED.flatMap((id) => [{ service_id: id }, { location_id: id }, { specialist_id: id }]),
  ];
  for (const input of inputs) {
    const { reply, ...answer } = await expectNotFound(input);
    // The location is checked first.
    const [field = ''] = ['location_id', 'service_id', 'specialist_id'].filter((name) => name in input);
    expect(reply.error.message).toContain(`: ${field} is not known.`);
    expect(answer).toEqual(unknown[field]);
  }
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  expect(await countRows(otherDesk.tenant.id)).toEqual(NOTHING);
});

test('does not echo the id', async () => {
  for (const name of ['service_id', 'location_id', 'specialist_id']) {
    const sent = marker();
    expectNoEcho((await expectNotFound({ [name]: sent })).reply, sent);
  }
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

test.for([`${BOOKINGS}/`, `${BOOKINGS}//`, `/api/partner/v1//bookings`, `${BOOKINGS}%2f`, '/api/partner/v1/Bookings'])(
  'returns 404 for a path that is not literally the route: %s',
  async (path) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
    const reply = await desk.client(path, { method: 'POST', headers, body: JSON.stringify(desk.body()) });
    expect([reply.status, reply.error.code]).toEqual([404, 'not_found']);
    expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  },
);
