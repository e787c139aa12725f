import { expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeApplication, makeBusiness, makeLocation, offer } from '@/tests/support/factories';
import { SPECIALISTS, withQuery } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test.for([true, false])(
  'returns 403 location for a location of the tenant outside the policy (published: %s)',
  async (published) => {
    const { tenant, location, service, specialist } = await makeBusiness();
    const other = await makeLocation(tenant.id, { published });
    await offer(tenant.id, [specialist], [service], [other]);
    const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id], quota: 10 });
    const client = createClient({ origin, key });
    const { status, error, headers } = await client(withQuery(SPECIALISTS, { location_id: other.id }));
    expect(status).toBe(403);
    expect(error).toMatchObject({ code: 'credential_restricted', reason: 'location' });
    // Locations are checked after the quota (contract B2), so the request counts against the quota.
    expect(headers['x-ratelimit-remaining']).toBe('9');
    expect((await client(withQuery(SPECIALISTS, { location_id: location.id }))).status).toBe(200);
  },
);

test('returns 403 location for every location filter of an application without locations', async () => {
  const { location, key } = await makeBusiness({ allLocations: false });
  const { error } = await createClient({ origin, key })(withQuery(SPECIALISTS, { location_id: location.id }));
  expect(error.reason).toBe('location');
});
