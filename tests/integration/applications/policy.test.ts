import { expect, test } from 'vitest';
import {
  createApplication,
  type PolicyInput,
  setSuspended,
  updatePolicy,
} from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { AppError } from '@/lib/contract/errors/app-error';
import { listCatalog } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { createClient } from '@/tests/support/client';
import { marker } from '@/tests/support/echo';
import { makeBusiness, makeLocation, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';

const { origin } = sharedServer();
const SYSTEM = { kind: 'system' } as const;
const POLICY: PolicyInput = {
  name: 'Partner',
  scopes: SCOPES,
  allLocations: true,
  agentsAsk: true,
  locationIds: [],
  origins: [],
  networks: [],
  quota: 1000,
};

async function change(tenantId: string, applicationId: string, expectedVersion: number, input: Partial<PolicyInput>) {
  return updatePolicy(new Date(), { tenantId, actor: SYSTEM, applicationId, expectedVersion }, { ...POLICY, ...input });
}

test('a changed policy applies within a second, to every key', async () => {
  const { tenant, applicationId, key } = await makeBusiness();
  const client = createClient({ origin, key });
  expect((await client(CATALOG)).status).toBe(200);
  const updated = await change(tenant.id, applicationId, 1, { scopes: [], quota: 717 });
  const changed = performance.now();
  expect(updated).toMatchObject({ version: 2, scopes: [], quota: 717 });
  const reply = await until(
    async () => {
      const startedAt = performance.now();
      const answer = await client(CATALOG);
      if (startedAt - changed >= 1000) expect(answer.status).toBe(403);
      return answer;
    },
    ({ status }) => status === 403,
  );
  expect(reply.headers['x-ratelimit-limit']).toBe('717');
});

test('a location removed from the policy disappears from the catalog, and returns when it is added again', async () => {
  const { tenant, location, applicationId, key } = await makeBusiness();
  const client = createClient({ origin, key });
  const count = async () => (await client(CATALOG, { operation: listCatalog })).data.services.length;
  expect(await count()).toBe(1);
  await change(tenant.id, applicationId, 1, { allLocations: false });
  await until(count, (services) => services === 0);
  await change(tenant.id, applicationId, 2, { allLocations: false, locationIds: [location.id, location.id] });
  await until(count, (services) => services === 1);
});

test('a concurrently changed policy is not overwritten', async () => {
  const { tenant, applicationId } = await makeBusiness();
  await change(tenant.id, applicationId, 1, { quota: 5 });
  await expect(change(tenant.id, applicationId, 1, { quota: 6 })).rejects.toMatchObject({
    code: 'version_conflict',
  });
  expect(await db().application.findUnique({ where: { id: applicationId } })).toMatchObject({ quota: 5, version: 2 });
  const editors = await Promise.allSettled([7, 8, 9].map((quota) => change(tenant.id, applicationId, 2, { quota })));
  expect(editors.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await db().application.findUnique({ where: { id: applicationId } })).toMatchObject({ version: 3 });
});

test('a suspended application’s keys are refused within a second, and accepted after it is resumed', async () => {
  const { tenant, applicationId, key } = await makeBusiness();
  const client = createClient({ origin, key });
  const status = async () => (await client(CATALOG)).status;
  expect(await status()).toBe(200);
  const by = { tenantId: tenant.id, actor: SYSTEM, applicationId };
  await setSuspended(new Date(), { ...by, suspended: true });
  await until(status, (now) => now === 403);
  await setSuspended(new Date(), { ...by, suspended: true });
  await setSuspended(new Date(), { ...by, suspended: false });
  await until(status, (now) => now === 200);
  const actions = await db().auditLog.findMany({ where: { objectId: applicationId }, orderBy: { id: 'asc' } });
  expect(actions.map(({ action }) => action)).toEqual([
    'application.created',
    'application.suspended',
    'application.resumed',
  ]);
});

test('the application of another tenant is not found', async () => {
  const { applicationId } = await makeBusiness();
  const stranger = await makeTenant();
  for (const id of [applicationId, newId('app'), 'nonsense']) {
    await expect(change(stranger.id, id, 1, {})).rejects.toMatchObject({ code: 'not_found' });
    const suspending = setSuspended(new Date(), {
      tenantId: stranger.id,
      actor: SYSTEM,
      applicationId: id,
      suspended: true,
    });
    await expect(suspending).rejects.toMatchObject({ code: 'not_found' });
  }
  expect(await db().application.findUnique({ where: { id: applicationId } })).toMatchObject({
    version: 1,
    suspendedAt: null,
  });
});

const MANY = Array.from({ length: 101 }, (_, i) => i);
const BAD: [string, Partial<PolicyInput>][] = [
  ['name', { name: '' }],
  ['name', { name: ' \t ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['quota', { quota: 0 }],
  ['quota', { quota: -1 }],
  ['quota', { quota: 1.5 }],
  ['quota', { quota: Number.NaN }],
  ['quota', { quota: 1_000_001 }],
  ['networks', { networks: ['127.0.0.1', '10.0.0.0/33'] }],
  ['networks', { networks: ['127.1'] }],
  ['networks', { networks: [''] }],
  ['networks', { networks: MANY.map((i) => `10.0.0.${i}`) }],
  ['origins', { origins: ['https://partner.example/'] }],
  ['origins', { origins: ['https://partner.example/path'] }],
  ['origins', { origins: ['partner.example'] }],
  ['origins', { origins: ['*'] }],
  ['origins', { origins: ['null'] }],
  ['origins', { origins: ['https://PARTNER.example'] }],
  ['origins', { origins: ['https://partner.example:443'] }],
  ['origins', { origins: ['ftp://partner.example'] }],
  ['origins', { origins: [`https://${'a.'.repeat(150)}example`] }],
  ['origins', { origins: MANY.map((i) => `https://p${i}.example`) }],
  ['location_ids', { locationIds: ['nonsense'] }],
];

test('an invalid value is refused at its field, and nothing changes', async () => {
  const { tenant, applicationId } = await makeBusiness();
  const by = { tenantId: tenant.id, actor: SYSTEM };
  for (const [path, input] of BAD) {
    const refused = { code: 'invalid_request', fields: [{ path }] };
    const [what, given] = [JSON.stringify(input), { ...POLICY, ...input }];
    await expect(change(tenant.id, applicationId, 1, input), what).rejects.toMatchObject(refused);
    await expect(createApplication(new Date(), by, given), what).rejects.toMatchObject(refused);
  }
  expect(await db().application.count({ where: { tenantId: tenant.id } })).toBe(1);
  expect(await db().application.findUnique({ where: { id: applicationId } })).toMatchObject({ version: 1 });
});

test('a location of another tenant cannot be allowed', async () => {
  const { tenant, applicationId, location } = await makeBusiness();
  const foreign = await makeLocation((await makeTenant()).id);
  const attempt = change(tenant.id, applicationId, 1, { allLocations: false, locationIds: [location.id, foreign.id] });
  await expect(attempt).rejects.toMatchObject({ code: 'invalid_request', fields: [{ path: 'location_ids' }] });
  expect(await db().applicationLocation.count({ where: { applicationId } })).toBe(0);
});

test('a refusal does not echo the value', async () => {
  const { tenant } = await makeBusiness();
  const sent = marker();
  const by = { tenantId: tenant.id, actor: SYSTEM };
  for (const input of [{ networks: [sent] }, { origins: [sent] }, { locationIds: [sent] }, { name: sent.repeat(20) }]) {
    const error = await createApplication(new Date(), by, { ...POLICY, ...input }).catch((thrown: unknown) => thrown);
    if (!(error instanceof AppError)) throw error;
    expect(JSON.stringify([error.message, error.fields])).not.toContain(sent);
  }
});
