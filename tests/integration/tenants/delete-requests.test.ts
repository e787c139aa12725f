import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { exportTenant } from '@/lib/operations/tenants/export';
import { importTenant } from '@/lib/operations/tenants/import';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { makeDesk, partnerOf } from '@/tests/support/bookings';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { asDatabaseOwner } from '@/tests/support/database';
import { makeBusiness } from '@/tests/support/factories';
import { startReceiver } from '@/tests/support/receiver';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

const { origin, databaseUrl } = sharedServer();
const { signal } = new AbortController();

test('requests during a deletion are refused, no webhook is sent, and an import brings everything back', async () => {
  const receiver = await startReceiver();
  const { tenant, applicationId, key, create, body } = await makeDesk();
  // An import refuses the name of another tenant, and the factories give all tenants one name.
  await db().tenant.update({ where: { id: tenant.id }, data: { name: 'Salon of this deletion' } });
  const partner = partnerOf(key);
  const other = partnerOf((await makeBusiness()).key);
  const person = await makePerson(tenant.id);
  const cookie = await openSessionOf(person);
  const first = randomUUID();
  const made = await create(body(), { key: first });
  for (const start of ['10:30', '11:00']) expect((await create(body(start))).status).toBe(201);
  const directory = await mkdtemp(join(tmpdir(), 'move-'));
  const path = join(directory, 'sealed.gz');
  await exportTenant(new Date(), databaseUrl, { tenantId: tenant.id, path, readable: false }, signal);
  await setTenantSuspended(new Date(), tenant.id, true);
  // The deliveries are created after the suspension, so that they are held, and after the export, because an export
  // with events that have no booking cannot be imported.
  await (await addEndpoint(tenant.id, applicationId, receiver.url)).emit(3);
  await until(
    () => partner.find({ external_reference: 'none' }),
    ({ status }) => status === 403,
  );
  const calls: Record<string, () => Promise<number>> = {
    read: async () => (await partner.find({ external_reference: 'none' })).status,
    write: async () => (await create(body(), { key: randomUUID() })).status,
    member: async () => (await callProcedure('bookings.list', { origin, cookie, type: 'query', input: {} })).status,
  };
  const seen = new Map(Object.keys(calls).map((name) => [name, new Set<number>()]));
  const others = new Set<number>();
  // Makes each call once before the deletion begins. On a busy machine, the loop below could make its first calls too
  // late.
  for (const [name, call] of Object.entries(calls)) seen.get(name)?.add(await call());
  let ended = false;
  const calling = Object.entries(calls).map(async ([name, call]) => {
    while (!ended) {
      seen.get(name)?.add(await call());
      others.add((await other.find({ external_reference: 'none' })).status);
      // Without this pause, the calls could fail 30 times within a minute. The address would then get a 429 instead of
      // a 401.
      await delay(250);
    }
  });
  const beganAt = performance.now();
  let erasedAt = 0;
  const onBatch = () => {
    erasedAt ||= performance.now();
  };
  const deletion = await deleteTenant(
    new Date(),
    databaseUrl,
    { tenantId: tenant.id, confirm: 'Salon of this deletion' },
    { settle: 2_500, batch: 1, onBatch },
  ).finally(() => {
    ended = true;
  });
  await Promise.all(calling);
  // Timers can be a millisecond early.
  expect(erasedAt - beganAt).toBeGreaterThan(2_490);
  expect(deletion).toMatchObject({ again: false, rows: { bookings: 3, deliveries: 3, memberships: 1, users: 1 } });
  expect([...(seen.get('read') ?? [])].sort()).toEqual([401, 403]);
  expect([...(seen.get('write') ?? [])].sort()).toEqual([401, 403]);
  expect([...(seen.get('member') ?? [])].filter((status) => status !== 200)).toEqual([401]);
  expect([...others]).toEqual([200]);
  expect(receiver.received).toEqual([]);
  expect(await db().requestLog.count({ where: { tenantId: tenant.id } })).toBe(0);
  expect(await db().user.count({ where: { id: person.userId } })).toBe(0);
  await importTenant(new Date(), asDatabaseOwner(databaseUrl), path, signal);
  expect((await partner.find({ external_reference: 'none' })).status).toBe(403);
  await setTenantSuspended(new Date(), tenant.id, false);
  const found = await until(
    () => partner.find({ external_reference: 'order-4711' }),
    ({ status }) => status === 200,
  );
  expect(found.data.bookings).toHaveLength(3);
  const replayed = await create(body(), { key: first });
  expect([replayed.status, replayed.data, replayed.headers['idempotent-replayed']]).toEqual([201, made.data, 'true']);
  const list = { origin, cookie: await openSessionOf(person), type: 'query', input: {} } as const;
  expect(await callProcedure('bookings.list', list)).toMatchObject({ status: 200 });
  await rm(directory, { recursive: true });
  await receiver.close();
}, 60_000);
