import { beforeAll, expect, test } from 'vitest';
import { newId } from '@/lib/platform/ids';
import { comparable } from '@/tests/support/booking-rows';
import { type Client, createClient } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication, makeBusiness, makeLocation, makeService, offer } from '@/tests/support/factories';
import { SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let business: Awaited<ReturnType<typeof makeBusiness>>;
let otherBusiness: Awaited<ReturnType<typeof makeBusiness>>;
let client: Client;

beforeAll(async () => {
  [business, otherBusiness] = await Promise.all([makeBusiness(), makeBusiness()]);
  client = createClient({ origin, key: business.key });
});

async function expectNotFound(parameters: Record<string, string>) {
  const reply = await client(withQuery(SPECIALISTS, parameters));
  expect(reply.status).toBe(404);
  return comparable(reply);
}

test('names the field of an unknown id, in byte-identical 404s for ids that are malformed or of another tenant', async () => {
  const unknown: Record<string, unknown> = {
    service_id: await expectNotFound({ service_id: newId('svc') }),
    location_id: await expectNotFound({ location_id: newId('loc') }),
  };
  for (const [field, answer] of Object.entries(unknown))
    expect(JSON.stringify(answer)).toContain(`: ${field} is not known.`);
  const queries: Record<string, string>[] = [
    { service_id: otherBusiness.service.id },
    { location_id: otherBusiness.location.id },
    { service_id: otherBusiness.location.id },
    { service_id: business.location.id },
    { location_id: business.service.id },
    { service_id: '' },
    { service_id: ' ' },
    { location_id: '../catalog' },
    { location_id: '\u0000' },
    { service_id: "' OR 1=1 --" },
    { service_id: `${business.service.id} ` },
    { service_id: business.service.id.toUpperCase() },
    { service_id: '__proto__' },
  ];
  for (const query of queries) expect(await expectNotFound(query)).toEqual(unknown[Object.keys(query)[0] ?? '']);
  const { service, location } = business;
  expect(await expectNotFound({ service_id: service.id, location_id: otherBusiness.location.id })).toEqual(
    unknown.location_id,
  );
  expect(await expectNotFound({ service_id: otherBusiness.service.id, location_id: location.id })).toEqual(
    unknown.service_id,
  );
});

test('does not echo the id', async () => {
  for (const name of ['service_id', 'location_id']) {
    const sent = marker();
    expectNoEcho(await expectNotFound({ [name]: sent }), sent);
  }
});

test('returns 404 for an unpublished service or allowed location of the same tenant', async () => {
  const { tenant, specialist, location } = business;
  const draft = await makeService(tenant.id, { published: false });
  const closed = await makeLocation(tenant.id, { published: false });
  await offer(tenant.id, [specialist], [draft], [location]);
  const fresh = createClient({ origin, key: (await makeApplication(tenant.id)).key });
  expect((await fresh(withQuery(SPECIALISTS, { service_id: draft.id }))).status).toBe(404);
  expect((await fresh(withQuery(SPECIALISTS, { location_id: closed.id }))).status).toBe(404);
});

test('returns 404 for a service that no allowed location offers', async () => {
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
