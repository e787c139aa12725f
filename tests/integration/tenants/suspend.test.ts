import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeBusiness, makeTenant } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { PROCEDURES } from '../isolation/inputs';
import { callEach } from './each-procedure';

const { origin, databaseUrl } = sharedServer();

const suspend = (tenantId: string, suspended = true) => setTenantSuspended(new Date(), tenantId, suspended);

test('refuses all keys of a suspended tenant within a second, and no keys of other tenants', async () => {
  const { tenant, key } = await makeBusiness();
  const partners = [key, (await makeApplication(tenant.id)).key].map(partnerOf);
  const other = partnerOf((await makeBusiness()).key);
  const find = ({ find: read }: typeof other) => read({ external_reference: 'none' });
  for (const partner of [...partners, other]) expect((await find(partner)).status).toBe(200);
  expect(await suspend(tenant.id)).toMatchObject({ changed: true, since: null });
  const suspended = performance.now();
  for (const partner of partners) {
    const refused = await until(
      async () => {
        const startedAt = performance.now();
        const reply = await find(partner);
        if (startedAt - suspended >= 1000) expect(reply.status).toBe(403);
        return reply;
      },
      ({ status }) => status === 403,
    );
    expectRefusal(refused, 403, 'credential_restricted', 'suspended');
  }
  expect((await find(other)).status).toBe(200);
  expect(await suspend(tenant.id)).toMatchObject({ changed: false, since: expect.any(Date) });
  expect(await suspend(tenant.id, false)).toMatchObject({ changed: true });
  expect(await suspend(tenant.id, false)).toMatchObject({ changed: false, since: null });
  for (const partner of partners)
    await until(
      () => find(partner),
      ({ status }) => status === 200,
    );
  const entries = await db().auditLog.findMany({ where: { objectId: tenant.id }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actorKind, actorId, after }) => [action, actorKind, actorId, after])).toEqual([
    ['tenant.suspended', 'operator', null, { suspended: true }],
    ['tenant.resumed', 'operator', null, { suspended: false }],
  ]);
  await expect(suspend(newId('ten'))).rejects.toMatchObject({ code: 'not_found' });
});

test('a write that runs during the suspension is made completely or not at all, and can be repeated later', async () => {
  const { tenant, create, body } = await makeDesk();
  const sending = { key: randomUUID() };
  const lock = await holdLock(databaseUrl, exclusiveTenantLock(tenant.id));
  const running = create(body(), sending);
  await lock.untilWaiting();
  await suspend(tenant.id);
  await lock.release();
  const { status } = await running;
  // On a slow machine, the write can exceed its time limit and get a 503.
  expect([201, 503]).toContain(status);
  const made = status === 201 ? { bookings: 1, claims: 1, events: 1, keys: 1 } : NOTHING;
  expect(await countRows(tenant.id)).toEqual(made);
  await until(
    () => create(body(), sending),
    (reply) => reply.status === 403,
  );
  expect(await countRows(tenant.id)).toEqual(made);
  await suspend(tenant.id, false);
  const repeated = await until(
    () => create(body(), sending),
    (reply) => reply.status !== 403,
  );
  expect(repeated.headers['idempotent-replayed']).toBe(status === 201 ? 'true' : undefined);
  expect(await countRows(tenant.id)).toEqual({ bookings: 1, claims: 1, events: 1, keys: 1 });
});

test('members of a suspended tenant can read everything and change nothing but their own account', async () => {
  const tenant = await makeTenant();
  const cookie = await openSessionOf(await makePerson(tenant.id));
  await suspend(tenant.id);
  const results = await callEach(cookie, tenant.id);
  const codeOf = (path: string) => results.get(path)?.error?.data.code;
  const allowed: string[] = [];
  for (const { path, type } of PROCEDURES)
    if (type === 'query') expect([path, codeOf(path)]).not.toContain('business_suspended');
    else if (codeOf(path) !== 'business_suspended') allowed.push(path);
  const account = (path: string) => path.startsWith('second_factor.') || path.startsWith('session.');
  expect(allowed.filter((path) => !account(path))).toEqual([
    'bookings.find_by_phone',
    'bookings.names',
    'bookings.find_by_name',
    'bookings.contact',
    'bookings.find_customer',
    'privacy.customer.find',
    'privacy.customer.export',
  ]);
  const page = await request(`${origin}/t/${tenant.id}/audit`, { headers: { cookie } });
  expect(await page.body.text()).toContain('This business is suspended');
  const headers = {
    'x-partner-booking': 'control-center',
    'content-type': 'application/json',
    cookie,
    [TENANT_HEADER]: tenant.id,
  };
  const exported = await request(`${origin}/api/control-center/audit-export`, { method: 'POST', headers, body: '{}' });
  expect(exported.statusCode).toBe(200);
  await exported.body.dump();
});
