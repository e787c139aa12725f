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
  return { ids: reply.data.services.map(({ id }) => id), next: reply.data.next_cursor };
}

/** Reads all pages, the n-th with the n-th limit (the last one repeated), and returns their sizes and ids. */
async function walk(...limits: number[]) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 25;
    const read: Awaited<ReturnType<typeof page>> = await page(cursor === null ? { limit } : { limit, cursor });
    pages.push(read.ids);
    cursor = read.next;
  } while (cursor !== null);
  return { sizes: pages.map((one) => one.length), ids: pages.flat() };
}

test.for([1, 2, 7, 25, 49, 50])(
  'pages of %i, put together, are everything once, in the order of ids',
  async (limit) => {
    const all = await walk(limit);
    expect(all.ids).toEqual(ids);
    expect(all.sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
  },
);

test('a page that ends exactly at the end says that nothing follows', async () => {
  expect((await walk(50, 3)).sizes).toEqual([50, 3]);
  expect((await walk(3, 50)).sizes).toEqual([3, 50]);
});

test('without a limit a page has 25', async () => {
  const { ids: first, next } = await page({});
  expect(first).toEqual(ids.slice(0, 25));
  expect(next).not.toBeNull();
});

test('the limit may change from page to page', async () => {
  expect(await walk(1, 50, 2)).toEqual({ sizes: [1, 50, 2], ids });
});

test('a cursor goes on in the language it was made in, however the language is asked for', async () => {
  const { next } = await page({ limit: 10, locale: 'de' });
  const cursor = next ?? '';
  expect((await page({ limit: 5, cursor }, { 'accept-language': 'de-AT' })).ids).toEqual(ids.slice(10, 15));
  expect((await page({ limit: 5, cursor, locale: 'de-CH' })).ids).toEqual(ids.slice(10, 15));
});

test('the same cursor twice is the same page twice', async () => {
  const cursor = (await page({ limit: 20 })).next ?? '';
  expect(await page({ limit: 20, cursor })).toEqual(await page({ limit: 20, cursor }));
});

test('a limit may have leading zeros within its three digits', async () => {
  expect((await page({ limit: '01' })).ids).toHaveLength(1);
});
