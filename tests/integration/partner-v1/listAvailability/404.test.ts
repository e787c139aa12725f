import { beforeAll, expect, test } from 'vitest';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { comparable } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';

let mine: Desk;
let theirs: Desk;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([makeDesk(), makeDesk()]);
});

async function refusal(more: Record<string, string>, from: Pick<Desk, 'slots'> = mine) {
  const reply = await from.slots({ service_id: mine.service.id, date: dayAhead(), ...more });
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

test('ids of another tenant are answered as unknown and malformed ones, byte for byte', async () => {
  const unknown = await refusal({ service_id: newId('svc') });
  const questions: Record<string, string>[] = [
    { service_id: theirs.service.id },
    { location_id: theirs.location.id },
    { specialist_id: theirs.ids[0] ?? '' },
    { location_id: newId('loc') },
    { specialist_id: newId('spc') },
    { service_id: mine.location.id },
    { specialist_id: mine.service.id },
    { service_id: mine.service.id.toUpperCase() },
    ...MALFORMED.flatMap((id) => [{ service_id: id }, { location_id: id }, { specialist_id: id }]),
  ];
  for (const question of questions) expect(await refusal(question)).toEqual(unknown);
});

test('an exclude_reference that is not one`s own is answered like an unknown one, byte for byte', async () => {
  const unknown = await refusal({ exclude_reference: newBookingReference() });
  const colleague = partnerOf((await makeApplication(mine.tenant.id)).key);
  const [own, foreign] = await Promise.all([colleague.create(mine.body('09:00')), theirs.book()]);
  const references = [own.data.booking.reference, foreign.reference, ...MALFORMED];
  for (const exclude_reference of references) expect(await refusal({ exclude_reference })).toEqual(unknown);
});

test('what is one`s own but unpublished is not found', async () => {
  const { tenant, location, service, specialists, key } = await makeDesk();
  const [draft, closed, away] = await Promise.all([
    makeService(tenant.id, { published: false }),
    makeLocation(tenant.id, { published: false }),
    makeSpecialist(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, [...specialists, away], [draft, service], [location, closed]);
  const partner = partnerOf(key);
  await refusal({ service_id: draft.id }, partner);
  await refusal({ service_id: service.id, location_id: closed.id }, partner);
  await refusal({ service_id: service.id, location_id: location.id, specialist_id: away.id }, partner);
  expect((await partner.slots({ service_id: service.id, date: dayAhead() })).status).toBe(200);
});

test('a service that is offered at no allowed location is not found, with or without a location', async () => {
  const { tenant, service, specialists } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  const [nowhere, closedOnly] = await Promise.all([makeService(tenant.id), makeService(tenant.id)]);
  await offer(tenant.id, specialists, [closedOnly], [closed]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id, closed.id] });
  for (const { id } of [service, nowhere, closedOnly]) {
    await refusal({ service_id: id }, partnerOf(key));
    await refusal({ service_id: id, location_id: elsewhere.id }, partnerOf(key));
  }
});

test('an application without locations finds nothing', async () => {
  const { key } = await makeApplication(mine.tenant.id, { allLocations: false, locationIds: [] });
  await refusal({}, partnerOf(key));
});
