import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { comparable, countRows, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';

let mine: Desk;
let theirs: Desk;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([makeDesk(), makeDesk()]);
});

async function refusal(more: Record<string, unknown>, from: Pick<Desk, 'create'> = mine) {
  const reply = await from.create(mine.body('10:00', more));
  expect([more, reply.status, reply.error?.code]).toEqual([more, 404, 'not_found']);
  return { ...comparable(reply), reply };
}

const MALFORMED = ['', ' ', '*', '../catalog', '\u0000', "' OR 1=1 --", '__proto__', '\ud800', 'x'.repeat(200)];

test('ids of another tenant are answered as unknown and malformed ones, byte for byte', async () => {
  const { reply: _, ...unknown } = await refusal({ service_id: newId('svc') });
  const questions = [
    { service_id: theirs.service.id },
    { location_id: theirs.location.id },
    { specialist_id: theirs.ids[0] },
    { service_id: theirs.service.id, location_id: theirs.location.id, specialist_id: theirs.ids[0] },
    { location_id: newId('loc') },
    { specialist_id: newId('spc') },
    { service_id: mine.location.id },
    { location_id: mine.service.id },
    { specialist_id: mine.location.id },
    { service_id: mine.service.id.toUpperCase() },
    ...MALFORMED.flatMap((id) => [{ service_id: id }, { location_id: id }, { specialist_id: id }]),
  ];
  for (const question of questions) {
    const { reply: _reply, ...answer } = await refusal(question);
    expect(answer).toEqual(unknown);
  }
  expect(await countRows(mine.tenant.id)).toEqual(NOTHING);
  expect(await countRows(theirs.tenant.id)).toEqual(NOTHING);
});

test('the answer does not repeat the id', async () => {
  for (const name of ['service_id', 'location_id', 'specialist_id']) {
    const sent = marker();
    expectNoEcho((await refusal({ [name]: sent })).reply, sent);
  }
});

test('a service that is offered at no allowed location is not found, published or not', async () => {
  const { tenant, service, specialists, location } = await makeDesk();
  const elsewhere = await makeLocation(tenant.id);
  const [nowhere, draft] = await Promise.all([makeService(tenant.id), makeService(tenant.id, { published: false })]);
  await offer(tenant.id, specialists, [draft], [location]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id] });
  for (const { id } of [service, nowhere, draft]) {
    await refusal({ service_id: id, location_id: undefined }, partnerOf(key));
    await refusal({ service_id: id, location_id: elsewhere.id }, partnerOf(key));
  }
  expect(await countRows(tenant.id)).toEqual(NOTHING);
});

test('an application without locations finds nothing', async () => {
  const { key } = await makeApplication(mine.tenant.id, { allLocations: false, locationIds: [] });
  await refusal({ location_id: undefined }, partnerOf(key));
});

test.for([`${BOOKINGS}/`, `${BOOKINGS}//`, `/api/partner/v1//bookings`, `${BOOKINGS}%2f`, '/api/partner/v1/Bookings'])(
  'a path that is not literally the route books nothing: %s',
  async (path) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
    const reply = await mine.client(path, { method: 'POST', headers, body: JSON.stringify(mine.body()) });
    expect([reply.status, reply.error.code]).toEqual([404, 'not_found']);
    expect(await countRows(mine.tenant.id)).toEqual(NOTHING);
  },
);
