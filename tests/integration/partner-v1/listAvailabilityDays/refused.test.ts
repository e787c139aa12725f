import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { comparable, expectFields, expectRefusal } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeSpecialist, offer } from '@/tests/support/factories';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk({ specialists: 2 });
});

const ask = (more: Record<string, string>) => desk.days({ service_ids: desk.service.id, date: dayAhead(), ...more });

const list = (count: number) => Array.from({ length: count }, () => newId('svc')).join();

test.for<[string, string[], Record<string, string>]>([
  ['an invalid date', ['date'], { date: '2027-02-30' }],
  ['a date_to 62 days later', ['date_to'], { date_to: dayAhead(69) }],
  ['an earlier date_to', ['date_to'], { date_to: dayAhead(6) }],
  ['a date_to with next=true', ['date_to'], { date_to: dayAhead(), next: 'true' }],
  ['a next that is no boolean', ['next'], { next: '1' }],
  ['21 services', ['service_ids'], { service_ids: list(21) }],
  ['21 short ids', ['specialist_ids'], { specialist_ids: 'x,'.repeat(20) }],
  ['a long list', ['location_ids'], { location_ids: 'x'.repeat(700) }],
])('refuses %s and names the field', async ([, fields, query]) => {
  expectFields(await ask(query), fields);
});

test('accepts 62 days, and refuses unknown parameters and missing ones', async () => {
  expect((await ask({ date_to: dayAhead(68) })).status).toBe(200);
  expectFields(await desk.days({}), ['service_ids', 'date']);
  for (const name of ['service_id', 'cursor', 'limit', 'exclude_reference'])
    expectFields(await ask({ [name]: 'x' }), [name], 'unknown_field');
});

test('refuses more combinations and specialist days than a request may have', async () => {
  const { tenant, service, days, location } = await makeDesk({ specialists: 101 });
  const [specialist, ...more] = await Promise.all([
    makeSpecialist(tenant.id),
    ...Array.from({ length: 20 }, () => makeLocation(tenant.id)),
  ]);
  await offer(tenant.id, [specialist], [service], more);
  const query = { service_ids: service.id, date: dayAhead() };
  expectFields(await days(query), ['location_ids']);
  const one = { ...query, location_ids: location.id };
  expect((await days({ ...one, date_to: dayAhead(67) })).status).toBe(200);
  expectFields(await days({ ...one, date_to: dayAhead(68) }), ['date_to']);
  const searched = await days({ ...one, next: 'true' });
  expect([searched.status, searched.data.combinations[0]?.complete]).toEqual([200, true]);
});

test('names the field of an unknown id, in byte-identical 404s for ids that are malformed, unpublished, or of another tenant', async () => {
  const other = await makeDesk();
  const closed = await makeLocation(desk.tenant.id, { published: false });
  const away = await makeSpecialist(desk.tenant.id, { published: false });
  const unknown: Record<string, unknown> = {
    service_ids: comparable(await ask({ service_ids: newId('svc') })),
    location_ids: comparable(await ask({ location_ids: newId('loc') })),
    specialist_ids: comparable(await ask({ specialist_ids: newId('spc') })),
  };
  for (const [field, reply] of Object.entries(unknown))
    expect(JSON.stringify(reply)).toContain(`: ${field} is not known.`);
  const queries: Record<string, string>[] = [
    ...['', ' ', 'x', '__proto__', other.service.id].map((id) => ({ service_ids: `${desk.service.id},${id}` })),
    ...['', other.location.id, closed.id].map((id) => ({ location_ids: `${desk.location.id},${id}` })),
    ...['', other.ids[0], away.id].map((id) => ({ specialist_ids: `${desk.ids[0]},${id}` })),
  ];
  for (const query of queries) {
    const reply = await ask(query);
    expect([query, reply.status]).toEqual([query, 404]);
    expect(comparable(reply)).toEqual(unknown[Object.keys(query)[0] ?? '']);
  }
});

test('returns 403 for a location outside the policy, and leaves it out without location_ids', async () => {
  const { tenant, specialists, service, location } = await makeDesk();
  const elsewhere = await makeLocation(tenant.id);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] });
  const { days } = partnerOf(key);
  const query = { service_ids: service.id, date: dayAhead() };
  expect((await days(query)).data.combinations.map(({ location_id }) => location_id)).toEqual([location.id]);
  expectRefusal(await days({ ...query, location_ids: elsewhere.id }), 403, 'credential_restricted', 'location');
});
