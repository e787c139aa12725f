import { expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeApplication, makeLocation, makeTenant } from '@/tests/support/factories';
import { ago, writeLines } from '@/tests/support/request-lines';
import { makeControlCenter, makeMember, POLICY } from './applications-people';

type Row = { id: string; name: string } & Record<string, unknown>;
type List = { applications: Row[]; total: number; page_size: number };

const SYSTEM = { kind: 'system' } as const;

test('lists applications with policy and the requests and errors of the last 24 hours', async () => {
  const { tenant, owner, known, applicationId } = await makeControlCenter({ scopes: ['catalog.read'] });
  const studio = await makeLocation(tenant.id);
  const other = await makeApplication(tenant.id, { name: 'Another', allLocations: false, locationIds: [studio.id] });
  await writeLines([
    { ...known },
    { ...known, at: ago(23 * 3600), status: 404, code: 'not_found' },
    { ...known, at: ago(25 * 3600) },
    { ...known, status: 503, code: 'service_unavailable' },
  ]);
  const { data } = await owner.query('applications.list', {});
  const { applications, total } = data as List;
  expect(total).toBe(2);
  expect(applications).toMatchObject([
    { id: other.applicationId, all_locations: false, location_count: 1, location_names: ['Studio'], requests_24h: 0 },
    { id: applicationId, scopes: ['catalog.read'], keys_in_use: 1, requests_24h: 3, errors_24h: 2 },
  ]);
});

test('searches the list literally, filters, sorts and pages it', async () => {
  const { tenant, owner, known, applicationId } = await makeControlCenter({ name: '100% Coffee_Shop' });
  for (let i = 0; i < 25; i += 1) await makeApplication(tenant.id, { name: `Partner ${String(i).padStart(2, '0')}` });
  const paused = await makeApplication(tenant.id, { name: 'Paused' });
  await setSuspended(new Date(), {
    tenantId: tenant.id,
    actor: SYSTEM,
    applicationId: paused.applicationId,
    suspended: true,
  });
  await writeLines([{ ...known }]);
  const list = async (input: object) => (await owner.query('applications.list', input)).data as List;
  const names = async (input: object) => (await list(input)).applications.map(({ name }) => name);
  expect(await names({ search: 'coffee_s' })).toEqual(['100% Coffee_Shop']);
  expect(await names({ search: '%' })).toEqual(['100% Coffee_Shop']);
  expect(await names({ search: applicationId })).toEqual(['100% Coffee_Shop']);
  expect(await names({ search: 'nobody' })).toEqual([]);
  expect(await names({ status: 'suspended' })).toEqual(['Paused']);
  expect((await names({ sort: 'requests_24h', direction: 'desc' }))[0]).toBe('100% Coffee_Shop');
  expect((await names({ sort: 'name', direction: 'desc' }))[0]).toBe('Paused');
  const [first, second] = [await list({}), await list({ page: 2 })];
  expect([first.total, first.applications.length, second.applications.length]).toEqual([27, 25, 2]);
  expect(new Set([...first.applications, ...second.applications].map(({ id }) => id)).size).toBe(27);
  expect(await list({ page: 3 })).toMatchObject({ applications: [], total: 27 });
});

test('lets support read applications, keys and locations but change nothing', async () => {
  const { tenant, applicationId, keyId } = await makeControlCenter();
  const support = await makeMember(tenant.id, 'SUPPORT');
  const one = { application_id: applicationId };
  for (const [path, input] of [
    ['applications.list', {}],
    ['applications.get', one],
    ['keys.list', one],
    ['locations.list', undefined],
  ] as const) {
    expect((await support.query(path, input)).status, path).toBe(200);
  }
  const changes = [
    ['applications.create', POLICY],
    ['applications.update', { ...one, expected_version: 1, ...POLICY }],
    ['applications.preview', { ...one, ...POLICY }],
    ['applications.set_suspended', { ...one, suspended: true }],
    ['keys.issue', { ...one, name: 'Mine', expires_at: null }],
    ['keys.rotate', { key_id: keyId, overlap: 'now' }],
    ['keys.revoke', { key_id: keyId }],
  ] as const;
  for (const [path, input] of changes) {
    expect(await support.mutate(path, input), path).toMatchObject({ status: 403, error: { code: 'forbidden' } });
  }
  expect((await support.query('applications.changes', { ...one, since_version: 1 })).status).toBe(403);
  expect(await db().application.findMany({ where: { tenantId: tenant.id } })).toMatchObject([{ version: 1 }]);
  expect(await db().apiKey.findMany({ where: { applicationId } })).toMatchObject([{ id: keyId, revokedAt: null }]);
});

test('returns 404 for records of another tenant', async () => {
  const { applicationId, keyId } = await makeControlCenter();
  const { owner } = await makeControlCenter();
  const one = { application_id: applicationId };
  const answers = await Promise.all([
    owner.query('applications.get', one),
    owner.query('keys.list', one),
    owner.query('applications.changes', { ...one, since_version: 1 }),
    owner.mutate('applications.update', { ...one, expected_version: 1, ...POLICY }),
    owner.mutate('applications.preview', { ...one, ...POLICY }),
    owner.mutate('applications.set_suspended', { ...one, suspended: true }),
    owner.mutate('keys.issue', { ...one, name: 'Mine', expires_at: null }),
    owner.mutate('keys.rotate', { key_id: keyId, overlap: 'now' }),
    owner.mutate('keys.revoke', { key_id: keyId }),
    owner.query('applications.get', { application_id: newId('app') }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect((await owner.query('applications.list', { search: applicationId })).data).toMatchObject({ total: 0 });
});

test('creates an application and records the actor in the audit log', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const policy = { ...POLICY, name: ' Booking site ', networks: ['203.0.113.0/24', '203.0.113.0/24'], quota: 60 };
  const created = await owner.mutate('applications.create', policy);
  const { id } = created.data as { id: string };
  expect((await owner.query('applications.get', { application_id: id })).data).toMatchObject({
    name: 'Booking site',
    networks: ['203.0.113.0/24'],
    quota: 60,
    version: 1,
    suspended_at: null,
    keys_in_use: 0,
    last_request_at: null,
  });
  expect(await db().auditLog.findFirst({ where: { objectId: id } })).toMatchObject({
    action: 'application.created',
    actorKind: 'owner',
  });
});

test('stores no list of locations beside all locations', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const location_ids = [(await makeLocation(tenant.id)).id];
  const created = await owner.mutate('applications.create', { ...POLICY, all_locations: true, location_ids });
  const { id } = created.data as { id: string };
  expect(await db().applicationLocation.count({ where: { applicationId: id } })).toBe(0);
});

test.for([
  ['name', { name: ' ' }],
  ['quota', { quota: 0 }],
  ['quota', { quota: 1.5 }],
  ['networks', { networks: ['203.0.113.0/33'] }],
  ['origins', { origins: ['https://partner.example/'] }],
  ['location_ids', { all_locations: false, location_ids: ['loc_nowhere'] }],
] as const)('rejects an invalid %s at its field on create, update and preview', async ([path, part]) => {
  const { owner, applicationId } = await makeControlCenter();
  const bad = { ...POLICY, ...part };
  const one = { application_id: applicationId };
  const calls = [
    owner.mutate('applications.create', bad),
    owner.mutate('applications.update', { ...one, expected_version: 1, ...bad }),
    ...(path === 'location_ids' ? [] : [owner.mutate('applications.preview', { ...one, ...bad })]),
  ];
  for (const reply of await Promise.all(calls)) {
    expect(reply).toMatchObject({ status: 400, error: { code: 'invalid_request', fields: [{ path }] } });
  }
  expect((await owner.query('applications.list', {})).data).toMatchObject({ total: 1 });
});

test('returns 409 to a stale update, overwrites nothing and reports who changed which fields', async () => {
  const { tenant, owner, applicationId } = await makeControlCenter();
  const second = await makeMember(tenant.id, 'OWNER', 'Second Owner');
  const one = { application_id: applicationId };
  const changed = await second.mutate('applications.update', { ...one, expected_version: 1, ...POLICY, quota: 30 });
  expect(changed.data).toEqual({ version: 2 });
  const late = await owner.mutate('applications.update', { ...one, expected_version: 1, ...POLICY, quota: 90 });
  expect(late).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  expect((await owner.query('applications.get', one)).data).toMatchObject({ quota: 30, version: 2 });
  const since = await owner.query('applications.changes', { ...one, since_version: 1 });
  expect(since.data).toMatchObject([{ by: 'Second Owner', action: 'application.policy_changed' }]);
  expect((since.data as { fields: string[] }[])[0]?.fields.sort()).toEqual(['quota', 'scopes']);
  expect((await owner.query('applications.changes', { ...one, since_version: 2 })).data).toEqual([]);
});
