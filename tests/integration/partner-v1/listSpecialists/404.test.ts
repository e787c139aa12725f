import { expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeApplication, makeBusiness, makeLocation, makeService, offer } from '@/tests/support/factories';
import { SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
test('returns 404 for an unpublished service or allowed location of the same tenant', async () => {
  const { tenant, specialist, location } = await makeBusiness();
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
