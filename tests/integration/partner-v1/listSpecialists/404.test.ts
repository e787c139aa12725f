import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { type Client, createClient } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication, makeBusiness, makeLocation, makeService, offer } from '@/tests/support/factories';
import { SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let mine: Awaited<ReturnType<typeof makeBusiness>>;
let theirs: Awaited<ReturnType<typeof makeBusiness>>;
let client: Client;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([makeBusiness(), makeBusiness()]);
  client = createClient({ origin, key: mine.key });
});

/** Asks and returns everything of the answer that could tell one refusal from another. */
async function refusal(parameters: Record<string, string>) {
  const { status, text, headers, requestId } = await client(withQuery(SPECIALISTS, parameters));
  const { date: _date, 'x-ratelimit-remaining': _left, 'x-ratelimit-reset': _reset, ...rest } = headers;
  expect(status).toBe(404);
  return { status, text: text.replaceAll(requestId, '*'), headers: { ...rest, 'x-request-id': '*' } };
}

test('the ids of another tenant are answered as unknown and malformed ones, byte for byte', async () => {
  const unknown = await refusal({ service_id: newId('svc') });
  const questions: Record<string, string>[] = [
    { service_id: theirs.service.id },
    { location_id: theirs.location.id },
    { location_id: newId('loc') },
    { service_id: theirs.location.id },
    { service_id: mine.location.id },
    { location_id: mine.service.id },
    { service_id: '' },
    { service_id: ' ' },
    { location_id: '../catalog' },
    { location_id: '\u0000' },
    { service_id: "' OR 1=1 --" },
    { service_id: `${mine.service.id} ` },
    { service_id: mine.service.id.toUpperCase() },
    { service_id: mine.service.id, location_id: theirs.location.id },
    { service_id: theirs.service.id, location_id: mine.location.id },
    { service_id: '__proto__' },
  ];
  for (const question of questions) expect(await refusal(question)).toEqual(unknown);
});

test('the answer does not repeat the id', async () => {
  for (const name of ['service_id', 'location_id']) {
    const sent = marker();
    expectNoEcho(await refusal({ [name]: sent }), sent);
  }
});

test('a service or allowed location of one`s own that is unpublished is not found', async () => {
  const { tenant, specialist, location } = mine;
  const draft = await makeService(tenant.id, { published: false });
  const closed = await makeLocation(tenant.id, { published: false });
  await offer(tenant.id, [specialist], [draft], [location]);
  const fresh = createClient({ origin, key: (await makeApplication(tenant.id)).key });
  expect((await fresh(withQuery(SPECIALISTS, { service_id: draft.id }))).status).toBe(404);
  expect((await fresh(withQuery(SPECIALISTS, { location_id: closed.id }))).status).toBe(404);
});

test('a service that is offered at no allowed location is not found', async () => {
  const { tenant, service, specialist } = await makeBusiness();
  const nowhere = await makeService(tenant.id);
  const elsewhere = await makeLocation(tenant.id);
  const closed = await makeLocation(tenant.id, { published: false });
  const closedOnly = await makeService(tenant.id);
  await offer(tenant.id, [specialist], [closedOnly], [closed]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id, closed.id] });
  const restricted = createClient({ origin, key });
  for (const { id } of [service, nowhere, closedOnly]) {
    expect((await restricted(withQuery(SPECIALISTS, { service_id: id }))).status).toBe(404);
  }
});
