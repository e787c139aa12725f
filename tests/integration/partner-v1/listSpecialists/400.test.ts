import { beforeAll, expect, test } from 'vitest';
import { listCatalog, listSpecialists } from '@/lib/contract/operations';
import { type Client, createClient } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeBusiness, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { CATALOG, SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

let business: Awaited<ReturnType<typeof makeBusiness>>;
let client: Client;
let filters: Record<string, string>;

beforeAll(async () => {
  business = await makeBusiness();
  const { tenant, location, service, key } = business;
  const extra = await makeService(tenant.id);
  await offer(
    tenant.id,
    [await makeSpecialist(tenant.id), await makeSpecialist(tenant.id)],
    [service, extra],
    [location],
  );
  client = createClient({ origin: sharedServer().origin, key });
  filters = { service_id: service.id, location_id: location.id };
});

async function expectRefused(parameters: Record<string, string>) {
  const reply = await client(withQuery(SPECIALISTS, parameters));
  expect(reply.status).toBe(400);
  expect(reply.error.code).toBe('invalid_request');
  return { reason: reply.error.reason, paths: reply.error.fields.map(({ path }) => path), reply };
}

async function cursorOf(parameters: Record<string, string>): Promise<string> {
  const { data } = await client(withQuery(SPECIALISTS, { limit: 1, ...parameters }), { operation: listSpecialists });
  return data.next_cursor ?? '';
}

test.for(['0', '51', '-1', '1e3', '١٠', ''])('rejects limit %j and names the parameter', async (limit) => {
  expect((await expectRefused({ limit })).paths).toEqual(['limit']);
});

test('rejects and names a malformed locale and an unknown parameter', async () => {
  expect((await expectRefused({ locale: 'en US' })).paths).toEqual(['locale']);
  expect(await expectRefused({ date: '2026-01-01' })).toMatchObject({ paths: ['date'], reason: 'unknown_field' });
  expect((await expectRefused({ 'john.doe@example.com': '1' })).paths).toEqual(['*']);
});

test.for(['service_id', 'location_id'])('rejects a repeated %s and names it', async (name) => {
  const reply = await client(`${SPECIALISTS}?${name}=a&${name}=a`);
  expect(reply.error.fields.map(({ path }) => path)).toEqual([name]);
});

test.for(['service_id', 'location_id'])('returns 404 for a %s of 10 KB and does not echo it', async (name) => {
  const sent = marker() + 'x'.repeat(10_240);
  const reply = await client(withQuery(SPECIALISTS, { [name]: sent }));
  expect(reply.status).toBe(404);
  expectNoEcho(reply, sent);
});

test('rejects a cursor of other filters', async () => {
  const { service_id = '', location_id = '' } = filters;
  const queries: Record<string, string>[] = [
    {},
    { service_id },
    { location_id },
    filters,
    { ...filters, locale: 'de' },
  ];
  const cursors = await Promise.all(queries.map(cursorOf));
  for (const [i, query] of queries.entries()) {
    for (const [j, cursor] of cursors.entries()) {
      const reply = await client(withQuery(SPECIALISTS, { limit: 1, ...query, cursor }));
      expect([i, j, reply.status]).toEqual([i, j, i === j ? 200 : 400]);
      if (i !== j) expect(reply.error.reason).toBe('cursor_mismatch');
    }
  }
});

test('rejects a cursor of the catalog', async () => {
  const { data } = await client(`${CATALOG}?limit=1`, { operation: listCatalog });
  expect(data.next_cursor).not.toBeNull();
  expect((await expectRefused({ cursor: data.next_cursor ?? '' })).reason).toBe('cursor_mismatch');
});

test('rejects a cursor with any single character altered', async () => {
  const cursor = await cursorOf(filters);
  for (let at = 0; at < cursor.length; at += 1) {
    const altered = cursor.slice(0, at) + (cursor.charAt(at) === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    expect((await expectRefused({ ...filters, cursor: altered })).reason).toBe('cursor_mismatch');
  }
});

test('rejects empty, made-up and long cursors', async () => {
  for (const cursor of ['', marker(), 'A'.repeat(10_240)]) {
    const { reason, paths } = await expectRefused({ ...filters, cursor });
    expect({ reason, paths }).toEqual({ reason: 'cursor_mismatch', paths: ['cursor'] });
  }
});
