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

test('a specialist comes with exactly the fields of the contract, in the language asked for', async () => {
  const { tenant, location, service, key } = await makeBusiness();
  const specialist = await makeSpecialist(tenant.id, {
    displayName: 'Mika Muster',
    title: { en: 'Stylist', de: 'Stylistin' },
    description: { en: 'Since 2010' },
    imageUrl: 'https://images.example/mika.jpg',
  });
  await offer(tenant.id, [specialist], [service], [location]);
  const { data, headers } = await read(key, {}, { 'accept-language': 'de' });
  expect(headers['content-language']).toBe('de');
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

/** Two specialists, two services, two locations: one offers A here and B there, the other B here. */
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

test('filters narrow to who offers the service, and who works at the location', async () => {
  const { here, there, a, b, crossed, other, key } = await makeCrossed();
  expect(await idsOf(key)).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { service_id: a.id })).toEqual([crossed.id]);
  expect(await idsOf(key, { service_id: b.id })).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { location_id: here.id })).toEqual([crossed.id, other.id]);
  expect(await idsOf(key, { location_id: there.id })).toEqual([crossed.id]);
});

test('with both filters one offering matches both, and no match is an empty list', async () => {
  const { here, there, a, b, crossed, other, key } = await makeCrossed();
  expect(await idsOf(key, { service_id: b.id, location_id: here.id })).toEqual([other.id]);
  expect(await idsOf(key, { service_id: b.id, location_id: there.id })).toEqual([crossed.id]);
  expect(await idsOf(key, { service_id: a.id, location_id: there.id })).toEqual([]);
});

test('an application with some locations sees who works there, and nothing of elsewhere', async () => {
  const { tenant, here, there, a, b, crossed, other } = await makeCrossed();
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [there.id] });
  const { data } = await read(key);
  expect(data.specialists.map(({ id, service_ids, location_ids }) => ({ id, service_ids, location_ids }))).toEqual([
    { id: crossed.id, service_ids: [b.id], location_ids: [there.id] },
  ]);
  expect(JSON.stringify(data)).not.toMatch(new RegExp(`${here.id}|${a.id}|${other.id}`));
});

test('an application without locations sees nobody', async () => {
  const { key } = await makeBusiness({ allLocations: false });
  expect(await idsOf(key)).toEqual([]);
});

test('unpublished specialists are not shown, nor what is unpublished in what others offer', async () => {
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

test('pages of any limit, put together, are everything once, in the order of ids', async () => {
  const { tenant, location, service, specialist, key } = await makeBusiness();
  const more = await Promise.all(Array.from({ length: 11 }, () => makeSpecialist(tenant.id)));
  await offer(tenant.id, more, [service], [location]);
  const expected = [specialist, ...more].map(({ id }) => id).sort();
  const both = { service_id: service.id, location_id: location.id };
  const questions: Record<string, string>[] = [{}, { service_id: service.id }, both];
  for (const filters of questions) {
    for (const limit of [1, 5, 12, 50]) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const parameters: Record<string, string | number> =
          cursor === null ? { ...filters, limit } : { ...filters, limit, cursor };
        const { data }: Awaited<ReturnType<typeof read>> = await read(key, parameters);
        seen.push(...data.specialists.map(({ id }) => id));
        cursor = data.next_cursor;
      } while (cursor !== null);
      expect(seen).toEqual(expected);
    }
  }
});
