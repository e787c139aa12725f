import { beforeAll, expect, test } from 'vitest';
import { listCatalog } from '@/lib/contract/operations';
import { type Client, createClient } from '@/tests/support/client';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { CATALOG, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { walkPages } from '../pages';

const COUNT = 53;
let client: Client;
let ids: string[];

beforeAll(async () => {
  const tenant = await makeTenant();
  const services = await Promise.all(Array.from({ length: COUNT }, () => makeService(tenant.id)));
  await offer(tenant.id, [await makeSpecialist(tenant.id)], services, [await makeLocation(tenant.id)]);
  const { key } = await makeApplication(tenant.id);
  client = createClient({ origin: sharedServer().origin, key });
  ids = services.map(({ id }) => id).sort();
});

async function page(parameters: Record<string, string | number>, headers?: Record<string, string>) {
  const reply = await client(withQuery(CATALOG, parameters), { operation: listCatalog, headers });
  expect(reply.status).toBe(200);
  return { items: reply.data.services.map(({ id }) => id), next: reply.data.next_cursor };
}

test.for([1, 2, 7, 25, 49, 50])(
  'returns every service once and in the order of ids over pages of %i',
  async (limit) => {
    const all = await walkPages(page, [limit]);
    expect(all.items).toEqual(ids);
    expect(all.sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
  },
);

test('returns no cursor when a page ends exactly at the last service', async () => {
  expect((await walkPages(page, [50, 3])).sizes).toEqual([50, 3]);
  expect((await walkPages(page, [3, 50])).sizes).toEqual([3, 50]);
});

test('returns 25 services per page by default', async () => {
  const { items: first, next } = await page({});
  expect(first).toEqual(ids.slice(0, 25));
  expect(next).not.toBeNull();
});

test('accepts a different limit for every page', async () => {
  expect(await walkPages(page, [1, 50, 2])).toEqual({ sizes: [1, 50, 2], items: ids });
});

test('accepts a cursor for the same resolved language, however it was requested', async () => {
  const { next } = await page({ limit: 10, locale: 'de' });
  const cursor = next ?? '';
  expect((await page({ limit: 5, cursor }, { 'accept-language': 'de-AT' })).items).toEqual(ids.slice(10, 15));
  expect((await page({ limit: 5, cursor, locale: 'de-CH' })).items).toEqual(ids.slice(10, 15));
});

test('returns the same page for the same cursor', async () => {
  const cursor = (await page({ limit: 20 })).next ?? '';
  expect(await page({ limit: 20, cursor })).toEqual(await page({ limit: 20, cursor }));
});

test('accepts leading zeros in a limit', async () => {
  expect((await page({ limit: '01' })).items).toHaveLength(1);
});
