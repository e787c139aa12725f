import { beforeAll, expect, test } from 'vitest';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { comparable } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';

let desk: Desk;
let otherDesk: Desk;

beforeAll(async () => {
  [desk, otherDesk] = await Promise.all([makeDesk(), makeDesk()]);
});

async function expectNotFound(more: Record<string, string>, from: Pick<Desk, 'slots'> = desk) {
  const reply = await from.slots({ service_id: desk.service.id, date: dayAhead(), ...more });
  expect([more, reply.status]).toEqual([more, 404]);
  return comparable(reply);
}

const MALFORMED = [
  '',
  ' ',
  '*',
  '../catalog',
  '\u0000',
  "' OR 1=1 --",
  '__proto__',
  'x'.repeat(200),
  'x'.repeat(5_000),
];

test('names the field of an unknown id, in byte-identical 404s for ids that are malformed or of another tenant', async () => {
  const unknown: Record<string, unknown> = {
    service_id: await expectNotFound({ service_id: newId('svc') }),
    location_id: await expectNotFound({ location_id: newId('loc') }),
    specialist_id: await expectNotFound({ specialist_id: newId('spc') }),
  };
  for (const [field, answer] of Object.entries(unknown))
    expect(JSON.stringify(answer)).toContain(`: ${field} is not known.`);
  const queries: Record<string, string>[] = [
    { service_id: otherDesk.service.id },
    { location_id: otherDesk.location.id },
    { specialist_id: otherDesk.ids[0] ?? '' },
    { service_id: desk.location.id },
    { specialist_id: desk.service.id },
    { service_id: desk.service.id.toUpperCase() },
    ...MALFORMED.flatMap((id): Record<string, string>[] => [
      { service_id: id },
      { location_id: id },
      { specialist_id: id },
    ]),
  ];
  for (const query of queries) expect(await expectNotFound(query)).toEqual(unknown[Object.keys(query)[0] ?? '']);
});

test('returns byte-identical 404s for exclude_references that are unknown, malformed or of another application', async () => {
  const unknown = await expectNotFound({ exclude_reference: newBookingReference() });
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
  const [siblingBooking, otherTenantBooking] = await Promise.all([
    sibling.create(desk.body('09:00')),
    otherDesk.book(),
  ]);
  const references = [siblingBooking.data.booking.reference, otherTenantBooking.reference, ...MALFORMED];
  for (const exclude_reference of references) expect(await expectNotFound({ exclude_reference })).toEqual(unknown);
});

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
  const { key } = await makeApplication(desk.tenant.id, { allLocations: false, locationIds: [] });
  await expectNotFound({}, partnerOf(key));
});
