import { beforeAll, expect, test } from 'vitest';
import { listCatalog, listSpecialists } from '@/lib/contract/operations';
import type { Tenant } from '@/lib/platform/generated/prisma/client';
import { type Client, createClient } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import {
  makeApplication,
  makeLocation,
  makeService,
  makeSpecialist,
  makeTenant,
  offer,
} from '@/tests/support/factories';
import { CATALOG, SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let tenant: Tenant;
let client: Client;
let cursor: string;

beforeAll(async () => {
  tenant = await makeTenant();
  const services = await Promise.all([1, 2, 3].map(() => makeService(tenant.id)));
  const specialists = await Promise.all([1, 2, 3].map(() => makeSpecialist(tenant.id)));
  await offer(tenant.id, specialists, services, [await makeLocation(tenant.id)]);
  client = createClient({ origin, key: (await makeApplication(tenant.id)).key });
  cursor = await firstCursor(client);
});

async function firstCursor(from: Client, parameters: Record<string, string> = {}): Promise<string> {
  const { data } = await from(withQuery(CATALOG, { limit: 1, ...parameters }), { operation: listCatalog });
  return data.next_cursor ?? '';
}

async function expectMismatch(bad: string, from = client, parameters: Record<string, string> = {}) {
  const reply = await from(withQuery(CATALOG, { limit: 1, ...parameters, cursor: bad }));
  expect(reply.status).toBe(400);
  expect(reply.error).toMatchObject({ code: 'invalid_request', reason: 'cursor_mismatch' });
  expect(reply.error.fields.map(({ path }) => path)).toEqual(['cursor']);
  if (bad.length > 12) expectNoEcho(reply, bad);
}

test('accepts the cursor that the other tests alter', async () => {
  expect((await client(withQuery(CATALOG, { limit: 1, cursor }))).status).toBe(200);
});

test('rejects a cursor with any single character altered', async () => {
  const altered = [...cursor].flatMap((character, i) =>
    [character === 'A' ? 'B' : 'A', character === 'z' ? 'y' : 'z', '='].map(
      (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
    ),
  );
  for (const bad of altered) await expectMismatch(bad);
});

test('rejects a truncated cursor', async () => {
  for (let length = 0; length < cursor.length; length += 1) await expectMismatch(cursor.slice(0, length));
  for (let start = 1; start < cursor.length; start += 7) await expectMismatch(cursor.slice(start));
});

test('rejects a cursor with appended or prepended characters', async () => {
  for (const bad of [`${cursor}A`, `${cursor}=`, `${cursor} `, ` ${cursor}`, `${cursor}\n`, cursor + cursor]) {
    await expectMismatch(bad);
  }
});

test('rejects made-up, empty and 10 KB cursors', async () => {
  const invented = ['', ' ', 'null', '0', marker(), `${marker()}${marker()}`, 'ä'.repeat(40), '\u0000'.repeat(40)];
  for (const bad of [...invented, 'A'.repeat(10_240), cursor.padEnd(10_240, 'A')]) await expectMismatch(bad);
});

test('rejects an id as a cursor', async () => {
  const { data } = await client(CATALOG, { operation: listCatalog });
  for (const { id } of data.services) {
    await expectMismatch(id);
    await expectMismatch(Buffer.from(id).toString('base64url'));
    await expectMismatch('A'.repeat(22) + Buffer.from(id).toString('base64url'));
  }
});

test('rejects a cursor of another language', async () => {
  await expectMismatch(cursor, client, { locale: 'de' });
  await expectMismatch(await firstCursor(client, { locale: 'de' }));
  await expectMismatch(await firstCursor(client, { locale: 'de' }), client, { locale: 'en' });
});

test('rejects a cursor of another application of the same tenant', async () => {
  const other = createClient({ origin, key: (await makeApplication(tenant.id)).key });
  await expectMismatch(cursor, other);
  await expectMismatch(await firstCursor(other));
});

test('rejects a cursor of another route', async () => {
  const { data } = await client(`${SPECIALISTS}?limit=1`, { operation: listSpecialists });
  await expectMismatch(data.next_cursor ?? '');
});

test('names an invalid limit next to an invalid cursor', async () => {
  const reply = await client(withQuery(CATALOG, { limit: 0, cursor: marker() }));
  expect(reply.status).toBe(400);
  expect(reply.error.fields.map(({ path }) => path)).toContain('limit');
});
