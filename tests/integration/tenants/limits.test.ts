import { expect, test } from 'vitest';
import { createApplication } from '@/lib/access/applications/applications';
import { changeLimits } from '@/lib/operations/tenants/limits';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { createClient, type Reply } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeBusiness, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { LOCATION } from '../control-center/catalog-records';

const { origin } = sharedServer();

const limit = (tenantId: string, change: Parameters<typeof changeLimits>[2]) =>
  changeLimits(new Date(), tenantId, change);

const seen = ({ status, headers }: Reply) => [status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']];

test('all applications of a tenant share the limit on requests, beside their own quotas', async () => {
  const { tenant, key } = await makeBusiness();
  const small = createClient({ origin, key: (await makeApplication(tenant.id, { quota: 2 })).key });
  const large = createClient({ origin, key });
  await limit(tenant.id, { max_requests_per_minute: 4 });
  expect(seen(await large(CATALOG))).toEqual([200, '4', '3']);
  expect(seen(await small(CATALOG))).toEqual([200, '2', '1']);
  expect(seen(await small(CATALOG))).toEqual([200, '2', '0']);
  // This request exceeds the application's own quota, so it does not count against the limit of the tenant.
  expect(seen(await small(CATALOG))).toEqual([429, '2', '0']);
  expect(seen(await large(CATALOG))).toEqual([200, '4', '0']);
  const refused = await large(CATALOG);
  expect(seen(refused)).toEqual([429, '4', '0']);
  expect(refused.error).toMatchObject({ code: 'rate_limited', reason: null });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect((await createClient({ origin, key: (await makeBusiness()).key })(CATALOG)).status).toBe(200);
  await limit(tenant.id, { max_requests_per_minute: null });
  await until(
    () => large(CATALOG),
    ({ status }) => status === 200,
  );
});

test('an availability read counts its specialist days against the limit of the tenant', async () => {
  const { tenant, service, key } = await makeDesk({ specialists: 4 });
  await limit(tenant.id, { max_requests_per_minute: 10 });
  // 4 specialists for 31 days are 124 specialist days. More than 100 specialist days count as two requests.
  const query = { service_id: service.id, date: dayAhead(7), date_to: dayAhead(37) };
  expect(seen(await partnerOf(key).slots(query))).toEqual([200, '10', '8']);
});

test('refuses applications and locations beyond the limits, also if they are added at the same time', async () => {
  const tenant = await makeTenant();
  const cookie = await openSessionOf(await makePerson(tenant.id));
  await limit(tenant.id, { max_applications: 2, max_locations: 1 });
  const policy = { scopes: [], allLocations: true, locationIds: [], origins: [], networks: [], agentsAsk: true };
  const by = { tenantId: tenant.id, actor: { kind: 'system' } } as const;
  const adding = await Promise.allSettled(
    ['1', '2', '3'].map((name) => createApplication(new Date(), by, { ...policy, name, quota: 1 })),
  );
  expect(adding.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(adding.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'limit_reached' } });
  const add = () =>
    callProcedure('catalog.locations.create', { origin, cookie, type: 'mutation', input: { record: LOCATION } });
  expect(await add()).toMatchObject({ status: 200 });
  expect(await add()).toMatchObject({
    status: 409,
    error: {
      code: 'limit_reached',
      message:
        'This would exceed the operator’s limit for locations, which is 1. This business already has 1. Ask the operator for a higher limit.',
    },
  });
  await limit(tenant.id, { max_locations: 2 });
  expect(await add()).toMatchObject({ status: 200 });
  expect(await db().location.count({ where: { tenantId: tenant.id } })).toBe(2);
});

test('a change keeps the other limits, is audited once, and names an unknown tenant', async () => {
  const tenant = await makeTenant({ name: 'Harbour' });
  await limit(tenant.id, { max_applications: 2 });
  const all = { max_applications: 2, max_locations: null, max_requests_per_minute: 9 };
  expect(await limit(tenant.id, { max_requests_per_minute: 9 })).toEqual({ name: 'Harbour', limits: all });
  expect(await limit(tenant.id, { max_applications: 2 })).toEqual({ name: 'Harbour', limits: all });
  expect(await limit(tenant.id, {})).toEqual({ name: 'Harbour', limits: all });
  const entries = await db().auditLog.findMany({ where: { objectId: tenant.id }, orderBy: { id: 'asc' } });
  expect(entries).toMatchObject([
    { action: 'tenant.limits_changed', actorKind: 'operator', after: { max_requests_per_minute: null } },
    { action: 'tenant.limits_changed', actorKind: 'operator', before: { max_applications: 2 }, after: all },
  ]);
  await expect(limit(newId('ten'), {})).rejects.toMatchObject({ code: 'not_found' });
});
