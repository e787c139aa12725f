import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { lastTenantOf, recordUse } from '@/lib/access/owners/memberships';
import { addTenant } from '@/lib/operations/tenants/add';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import {
  callProcedure,
  makePerson,
  openSessionOf,
  type Person,
  postAsPage,
  signInOverHttp,
} from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { setUpTotp } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { SOAK } from '@/tests/support/soak';
import { PROCEDURES } from '../isolation/inputs';
import { callEach } from './each-procedure';

const { origin } = sharedServer();

const join = ({ userId }: Person, tenantId: string, role: Role = 'OWNER') =>
  db().membership.create({ data: { tenantId, userId, role } });

/**
 * Creates an owner of one tenant who has another role in a second tenant. Also creates a third tenant, to which this
 * person does not belong.
 */
async function makeDouble(role: Role = 'SUPPORT') {
  const [first, second, foreign] = await Promise.all([
    makeTenant({ name: 'First Salon' }),
    makeTenant({ name: 'Second Salon' }),
    makeTenant({ name: 'Salon of others' }),
  ]);
  const person = await makePerson(first.id);
  await join(person, second.id, role);
  const cookie = await openSessionOf(person);
  const call = (tenantId: string, type: 'query' | 'mutation', path: string, input: unknown = {}) =>
    callProcedure(path, { origin, cookie, type, input, headers: { [TENANT_HEADER]: tenantId } });
  /** Requests a page and returns its status, the path of its redirect, and its text. */
  const open = async (path: string, as = cookie) => {
    const { statusCode, headers, body } = await request(`${origin}${path}`, {
      headers: { cookie: as, accept: 'text/html' },
    });
    return { status: statusCode, location: headers.location, text: await body.text() };
  };
  return { first: first.id, second: second.id, foreign: foreign.id, person, cookie, call, open };
}

/** The id of a tenant that does not exist, and texts that are not ids. */
const HOSTILE = [
  newId('ten'),
  '',
  'undefined',
  'ten_',
  'TEN_01H2XCEJQTF2NBREXX3VQJHP41',
  "ten_'; DROP TABLE memberships; --",
  '../../api/health',
  '%00',
  `ten_${'0'.repeat(1_000)}`,
];

test('every procedure responds to the tenant of others as to a tenant that does not exist', async () => {
  const { first, second, foreign, cookie, call } = await makeDouble();
  expect(PROCEDURES.length).toBeGreaterThan(80);
  const results = await callEach(cookie, foreign);
  const gone = { error: { data: { httpStatus: 404, code: 'not_found', fields: [] } } };
  // A person without a business can change the password, too.
  for (const { path } of PROCEDURES.filter((one) => one.path !== 'session.change_password'))
    expect([path, results.get(path)]).toMatchObject([path, gone]);
  expect(results.get('session.change_password')).toHaveProperty('error');
  expect(await callEach(cookie, newId('ten'))).toEqual(results);
  for (const hostile of HOSTILE) expect((await call(hostile, 'query', 'session.me')).status).toBe(404);
  for (const tenantId of [first, second]) expect((await call(tenantId, 'query', 'session.me')).status).toBe(200);
});

test('an export of the tenant of others, or without a tenant, responds with 404', async () => {
  const { first, foreign, cookie } = await makeDouble();
  const send = async (tenant: Record<string, string>) => {
    const headers = { 'x-partner-booking': 'control-center', 'content-type': 'application/json', cookie, ...tenant };
    const statuses = [];
    for (const list of ['audit', 'requests']) {
      const url = `${origin}/api/control-center/${list}-export`;
      const { statusCode, body } = await request(url, { method: 'POST', headers, body: '{}' });
      await body.dump();
      statuses.push(statusCode);
    }
    return statuses;
  };
  expect(await send({ [TENANT_HEADER]: foreign })).toEqual([404, 404]);
  expect(await send({})).toEqual([404, 404]);
  expect(await send({ [TENANT_HEADER]: first })).toEqual([200, 200]);
});

/** What a page shows, and the rows of its stream, whose order and numbers differ from response to response. */
function partsOf(html: string): { shown: string; rows: string[] } {
  const pushed = [...html.matchAll(/self\.__next_f\.push\((\[1,"[\s\S]*?"\])\)<\/script>/g)];
  const stream = pushed.map(([, row = '']) => (JSON.parse(row) as [number, string])[1]).join('');
  const rows = stream.split('\n').map(withoutNumbers).sort();
  return { shown: html.replaceAll(/<script[\s\S]*?<\/script>/g, ''), rows };
}

/** Returns a row without its number and those of the rows that it refers to. */
const withoutNumbers = (row: string) => row.replace(/^[\da-f]+:/, '').replaceAll(/"\$(L?)[\da-f]+"/g, '"$$$1"');

test('a page of the tenant of others cannot be distinguished from a page of an unknown tenant', async () => {
  const { first, foreign, person, open } = await makeDouble();
  const pageOf = async (tenantId: string, path: string) => {
    const { status, location, text } = await open(`/t/${tenantId}${path}`);
    // Each response contains a different nonce and the requested URL. Both are replaced, so that responses can be
    // compared.
    const same = text.replaceAll(tenantId, 'TENANT').replaceAll(/nonce="?\S+?"|[\w+/]{22}==/g, '');
    return { status, location, text: same, ...partsOf(same) };
  };
  for (const path of ['/requests?status=4xx', '/nothing', '/account', ...(SOAK ? ['', '/applications/new'] : [])]) {
    const foreignPage = await pageOf(foreign, path);
    expect(foreignPage).toMatchObject({ status: 404, location: undefined });
    expect(foreignPage.text).not.toMatch(/Salon of others|First Salon/);
    const { text: _, ...parts } = foreignPage;
    expect(await pageOf(newId('ten'), path)).toMatchObject(parts);
  }
  for (const hostile of ['ten_', '%00', "ten_';--", 'ten_%0d%0aSet-Cookie:x', `ten_${'0'.repeat(1_000)}`])
    expect([hostile, (await open(`/t/${hostile}/requests`)).status]).toEqual([hostile, 404]);
  expect((await open(`/t/${first}/account`)).status).toBe(200);
  const nobody = await open(`/t/${foreign}/audit?person=x`, '');
  expect(nobody).toMatchObject({ location: `/sign-in?next=${encodeURIComponent(`/t/${foreign}/audit?person=x`)}` });
  expect(person.userId).toMatch(/^usr_/);
});

test('a path without a tenant leads to the tenant used last, with its query, and a sign-in lands there', async () => {
  const { first, second, person, open } = await makeDouble();
  expect((await open('/')).location).toBe(`/t/${first}`);
  await open(`/t/${second}/bookings`);
  expect((await open('/')).location).toBe(`/t/${second}`);
  await open(`/t/${first}/audit`);
  expect((await open('/requests?status=4xx&code=a%20b')).location).toBe(`/t/${first}/requests?status=4xx&code=a%20b`);
  await open(`/t/${second}/catalog`);
  const later = await signInOverHttp(origin, person.email, person.password);
  expect((await open('/', later ?? '')).location).toBe(`/t/${second}`);
  expect((await open('/sign-in', later ?? '')).location).toBe('/');
  expect((await open('/requests?x=1', '')).location).toBe('/sign-in?next=%2Frequests%3Fx%3D1');
  for (const path of ['/t', '/t/', '/t?x=1']) expect([path, (await open(path)).status]).toEqual([path, 404]);
  for (const path of ['//evil.example', '/%5C%5C.evil.example', '/%2F.evil.example'])
    expect([path, (await open(path)).location]).toEqual([path, expect.stringMatching(/^\/(?![/\\])/)]);
});

test('the use of a tenant is recorded once a minute, and immediately after a change of the tenant', async () => {
  const { first, second, person } = await makeDouble();
  const key = { tenantId_userId: { tenantId: first, userId: person.userId } };
  const usedAt = async () => (await db().membership.findUniqueOrThrow({ where: key })).lastUsedAt?.getTime();
  const start = Date.now();
  const use = (tenantId: string, seconds: number) =>
    recordUse(new Date(start + seconds * 1_000), person.userId, tenantId);
  await use(first, 0);
  await use(first, 59);
  expect(await usedAt()).toBe(start);
  await use(first, 60);
  expect(await usedAt()).toBe(start + 60_000);
  await use(second, 61);
  expect(await lastTenantOf(person.userId)).toBe(second);
  await use(first, 62);
  expect(await lastTenantOf(person.userId)).toBe(first);
});

test('role and suspension are those of the tenant that a call names', async () => {
  const { first, second, call } = await makeDouble();
  const suspend = (tenantId: string, suspended: boolean) => setTenantSuspended(new Date(), tenantId, suspended);
  expect((await call(first, 'query', 'session.me')).data).toMatchObject({ role: 'OWNER', tenant_name: 'First Salon' });
  expect((await call(second, 'query', 'session.me')).data).toMatchObject({ role: 'SUPPORT' });
  expect((await call(first, 'query', 'team.list')).status).toBe(200);
  expect((await call(second, 'query', 'team.list')).status).toBe(403);
  const save = (tenantId: string) =>
    call(tenantId, 'mutation', 'views.create', { page: 'requests', name: 'Mine', query: { status: '4xx' } });
  await suspend(first, true);
  expect(await save(first)).toMatchObject({ status: 403, error: { code: 'business_suspended' } });
  expect((await save(second)).status).toBe(200);
  await suspend(first, false);
  expect((await call(first, 'query', 'views.list', { page: 'requests' })).data).toEqual([]);
});

test('a removed member keeps the session for the other tenants, and has no session without any', async () => {
  const { first, second, person, call, open } = await makeDouble();
  const asOwner = async (tenantId: string) => {
    const cookie = await openSessionOf(await makePerson(tenantId));
    const input = { user_id: person.userId };
    const headers = { [TENANT_HEADER]: tenantId };
    return (path: string) => callProcedure(path, { origin, cookie, type: 'mutation', input, headers });
  };
  const [one, two] = [await asOwner(first), await asOwner(second)];
  expect((await one('team.remove')).status).toBe(200);
  expect((await call(first, 'query', 'session.me')).status).toBe(404);
  expect((await call(second, 'query', 'session.me')).status).toBe(200);
  expect((await open(`/t/${first}/bookings`)).status).toBe(404);
  expect((await open('/')).location).toBe(`/t/${second}`);
  expect((await two('team.remove')).status).toBe(200);
  expect((await call(second, 'query', 'session.me')).status).toBe(401);
  expect((await open('/')).location).toBe('/sign-in');
});

test('an owner cannot remove the second factor of a person who can be a member of another tenant', async () => {
  const { first, second, person } = await makeDouble();
  await setUpTotp(person, new Date());
  const cookie = await openSessionOf(await makePerson(first));
  const input = { user_id: person.userId };
  const headers = { [TENANT_HEADER]: first };
  const reset = () => callProcedure('team.reset_second_factor', { origin, cookie, type: 'mutation', input, headers });
  expect(await reset()).toMatchObject({ status: 403, error: { code: 'operator_required' } });
  expect(await db().totpFactor.count({ where: { userId: person.userId } })).toBe(1);
  await db().membership.delete({ where: { tenantId_userId: { tenantId: second, userId: person.userId } } });
  // The same answer without another tenant: owners must not learn whether there is one.
  expect(await reset()).toMatchObject({ status: 403, error: { code: 'operator_required' } });
});

test('a member accepts the operator’s invitation to a second tenant, and then lands there', async () => {
  const { first, person, cookie, call, open } = await makeDouble();
  await open(`/t/${first}/catalog`);
  const business = { business_name: `Harbour ${newId('ten')}`, time_zone: 'Europe/Berlin', locales: ['de'] };
  const { tenantId, invitation } = await addTenant(new Date(), { ...business, owner: person.email });
  expect((await call(tenantId, 'query', 'session.me')).status).toBe(404);
  const accepting = { token: invitation.link.split('/invite/')[1], signed_in: true };
  expect(await postAsPage(origin, '/api/invite', accepting, { cookie })).toMatchObject({ status: 200 });
  expect((await open('/')).location).toBe(`/t/${tenantId}`);
  expect((await call(tenantId, 'query', 'session.me')).data).toMatchObject({ role: 'OWNER' });
});
