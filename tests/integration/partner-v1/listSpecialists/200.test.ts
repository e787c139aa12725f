import { expect, test } from 'vitest';
import { listSpecialists } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import {
  makeApplication,
  makeBusiness,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { walkPages } from '../pages';

const { origin } = sharedServer();

async function read(
  key: string,
  parameters: Record<string, string | number> = {},
  headers: Record<string, string> = {},
) {
  const client = createClient({ origin, key });
  const reply = await client(withQuery(SPECIALISTS, parameters), { operation: listSpecialists, headers });
  expect(reply.status).toBe(200);
  return reply;
}

async function idsOf(key: string, parameters: Record<string, string> = {}): Promise<string[]> {
  return (await read(key, parameters)).data.specialists.map(({ id }) => id);
}

test('returns exactly the fields of the contract, in the requested language', async () => {
  const { tenant, location, service, key } = await makeBusiness();
  const specialist = await makeSpecialist(tenant.id, {
    displayName: 'Mika Muster',
    title: { en: 'Stylist', de: 'Stylistin' },
    description: { en: 'Since 2010' },
    imageUrl: 'https://images.example/mika.jpg',
  });
  await offer(tenant.id, [specialist], [service], [location]);
  const { data, headers } = await read(key, {}, { 'accept-language': 'de' });
  expect(headers['content-language']).toBe('de, en');
  expect(data.specialists).toHaveLength(2);
  expect(data.specialists.find(({ id }) => id === specialist.id)).toEqual({
    id: specialist.id,
    display_name: 'Mika Muster',
    title: 'Stylistin',
    description: 'Since 2010',
    image_url: 'https://images.example/mika.jpg',
    service_ids: [service.id],
    location_ids: [location.id],
  });
  expect(data.specialists.find(({ id }) => id !== specialist.id)).toMatchObject({
    title: null,
    description: null,
    image_url: null,
  });
});

/**
 * Creates two specialists (`crossed` and `other`), two services (`a` and `b`), and two locations (`here` and `there`).
 * `crossed` offers `a` at `here` and `b` at `there`. `other` offers `b` at `here`.
 */
async function makeCrossed() {
  const tenant = await makeTenant();
  const here = await makeLocation(tenant.id);
  const there = await makeLocation(tenant.id);
  const a = await makeService(tenant.id);
  const b = await makeService(tenant.id);
  const crossed = await makeSpecialist(tenant.id);
  const other = await makeSpecialist(tenant.id);
  await offer(tenant.id, [crossed], [a], [here]);
  await offer(tenant.id, [crossed], [b], [there]);
  await offer(tenant.id, [other], [b], [here]);
  const { key } = await makeApplication(tenant.id);
  return { tenant, here, there, a, b, crossed, other, key };
}

test('filters by service and by location', async () => {
  const { here, there, a, b, crossed, other, key } = await makeCrossed();
  expect(await idsOf(key)).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { service_id: a.id })).toEqual([crossed.id]);
  expect(await idsOf(key, { service_id: b.id })).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { location_id: here.id })).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { location_id: there.id })).toEqual([crossed.id]);
});

test('requires one offering to match both filters, and returns an empty list when none does', async () => {
  const { here, there, a, b, crossed, other, key } = await makeCrossed();
  expect(await idsOf(key, { service_id: b.id, location_id: here.id })).toEqual([other.id]);
  expect(await idsOf(key, { service_id: b.id, location_id: there.id })).toEqual([crossed.id]);
  expect(await idsOf(key, { service_id: a.id, location_id: there.id })).toEqual([]);
});

test('returns only specialists, services and locations that the policy covers', async () => {
  const { tenant, here, there, a, b, crossed, other } = await makeCrossed();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [there.id] });
  const { data } = await read(key);
  expect(data.specialists.map(({ id, service_ids, location_ids }) => ({ id, service_ids, location_ids }))).toEqual([
    { id: crossed.id, service_ids: [b.id], location_ids: [there.id] },
  ]);
  expect(JSON.stringify(data)).not.toMatch(new RegExp(`${here.id}|${a.id}|${other.id}`));
});

test('returns no specialists to an application without locations', async () => {
  const { key } = await makeBusiness({ allLocations: false });
  expect(await idsOf(key)).toEqual([]);
});

test('omits unpublished specialists, and unpublished services and locations of the others', async () => {
  const { tenant, location, service, specialist, key } = await makeBusiness();
  const hidden = await makeSpecialist(tenant.id, { published: false });
  const closed = await makeLocation(tenant.id, { published: false });
  const draft = await makeService(tenant.id, { published: false });
  const onlyDraft = await makeSpecialist(tenant.id);
  await offer(tenant.id, [hidden, specialist], [service], [location, closed]);
  await offer(tenant.id, [specialist, onlyDraft], [draft], [location]);
  const { data } = await read(key);
  expect(data.specialists).toHaveLength(1);
  expect(data.specialists[0]).toMatchObject({
    id: specialist.id,
    service_ids: [service.id],
    location_ids: [location.id],
  });
});

test('returns every specialist once and in the order of ids, for every limit and filter', async () => {
  const { tenant, location, service, specialist, key } = await makeBusiness();
  const more = await Promise.all(Array.from({ length: 11 }, () => makeSpecialist(tenant.id)));
  await offer(tenant.id, more, [service], [location]);
  const expected = [specialist, ...more].map(({ id }) => id).sort();
  const both = { service_id: service.id, location_id: location.id };
  const filterSets: Record<string, string>[] = [{}, { service_id: service.id }, both];
  for (const filters of filterSets) {
    const page = async (parameters: Record<string, string | number>) => {
      const { data } = await read(key, { ...filters, ...parameters });
      return { items: data.specialists.map(({ id }) => id), next: data.next_cursor };
    };
    for (const limit of [1, 5, 12, 50]) expect((await walkPages(page, [limit])).items).toEqual(expected);
  }
});
