import { afterAll, beforeAll, expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { appRouter } from '@/lib/control-center/trpc/router';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({ databaseUrl: database.url });
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
});

type Line = { user_name: string; procedure: string | null; code: string; calls: number };

/** Returns a tenant's rows, as its owner sees them. */
async function rowsOf(tenantId: string) {
  const rows = await db().refusedCall.findMany({
    where: { tenantId },
    orderBy: [{ userId: 'asc' }, { procedure: 'asc' }],
  });
  return rows.map(({ userId, procedure, code, calls }) => ({ userId, procedure, code, calls }));
}

/** Adds up the calls, because a test can run across the end of a minute. */
const total = (rows: { calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0);

test('calls that are refused by role, second factor, or record are recorded, and those to a foreign tenant only logged', async () => {
  const [mine, foreign, strict] = [await makeTenant(), await makeTenant(), await makeTenant()];
  const [desk, owner] = [await makePerson(mine.id, 'FRONT_DESK'), await makePerson(strict.id)];
  const application = await makeApplication(foreign.id, {});
  const support = await makePerson(mine.id, 'SUPPORT');
  await db().tenant.update({ where: { id: strict.id }, data: { requireSecondFactor: true } });
  const caller = async (person: typeof desk) => {
    const cookie = await openSessionOf(person);
    return async (path: string, input: unknown, tenantId = person.tenantId) =>
      (
        await callProcedure(path, {
          origin: server.origin,
          cookie,
          type: 'query',
          input,
          headers: { [TENANT_HEADER]: tenantId },
        })
      ).status;
  };
  const [asDesk, asOwner, asSupport] = [await caller(desk), await caller(owner), await caller(support)];
  for (let call = 0; call < 30; call += 1) expect(await asDesk('team.list', undefined)).toBe(403);
  expect(await asDesk('team.list', undefined, foreign.id)).toBe(404);
  expect(await asDesk('team.list', undefined, newId('ten'))).toBe(404);
  expect(await asSupport('applications.get', { application_id: application.applicationId })).toBe(404);
  expect(await asOwner('team.list', undefined)).toBe(403);
  // Neither calls that succeed nor invalid input are refusals.
  expect(await asSupport('applications.list', { sort: 'x' })).toBe(400);
  expect(await asDesk('session.me', undefined)).toBe(200);
  await server.stop();
  const rows = await rowsOf(mine.id);
  const of = (userId: string, code: string) => rows.filter((row) => row.userId === userId && row.code === code);
  expect(total(of(desk.userId, 'forbidden'))).toBe(30);
  expect(of(desk.userId, 'forbidden').length).toBeLessThanOrEqual(2);
  expect(of(desk.userId, 'not_found')).toEqual([]);
  const logged = [
    ...`${server.output()}\n${server.errors()}`.matchAll(/^.*tenant of which the person is no member.*$/gm),
  ].map(([line]) => line);
  const parsed = logged.map((line) => JSON.parse(line) as { user_id: string; calls: number });
  expect([total(parsed), new Set(parsed.map(({ user_id }) => user_id))]).toEqual([2, new Set([desk.userId])]);
  expect(logged.join()).not.toContain(foreign.id);
  expect(of(support.userId, 'not_found')).toEqual([
    { userId: support.userId, procedure: 'applications.get', code: 'not_found', calls: 1 },
  ]);
  expect(total(rows)).toBe(31);
  expect(JSON.stringify(rows)).not.toContain(foreign.id);
  expect(await rowsOf(foreign.id)).toEqual([]);
  expect(await rowsOf(strict.id)).toEqual([
    { userId: owner.userId, procedure: 'team.list', code: 'second_factor_required', calls: 1 },
  ]);
  server = await startServer({ databaseUrl: database.url });
});

test('a person who is refused everything adds a bounded number of rows, also when processes write at the same time', async () => {
  const tenant = await makeTenant();
  const { userId } = await makePerson(tenant.id);
  const now = new Date();
  for (let call = 0; call < 10_000; call += 1) {
    const procedure = `procedure_${'abcdefghij'.charAt(call % 10)}.${'abcdefghij'.charAt(Math.floor(call / 10) % 10)}`;
    recordRefusedCall(now, { userId, tenantId: tenant.id, procedure, code: 'forbidden' });
  }
  await flushRefusedCalls();
  const rows = await rowsOf(tenant.id);
  expect(rows).toHaveLength(21);
  expect([total(rows), rows.filter(({ procedure }) => procedure === null)]).toMatchObject([10_000, [{ calls: 8_000 }]]);
  // The buffer is bounded too, and one statement writes all of it.
  for (let person = 0; person < 3_000; person += 1)
    recordRefusedCall(now, { userId: newId('usr'), tenantId: tenant.id, procedure: 'team.list', code: 'forbidden' });
  recordRefusedCall(now, { userId, tenantId: tenant.id, procedure: 'team.list', code: 'forbidden' });
  await flushRefusedCalls();
  expect(await rowsOf(tenant.id)).toEqual(rows);
  // Processes that write at the same time add up.
  const again = { userId, procedure: 'procedure_a.a', code: 'forbidden' } as const;
  recordRefusedCall(now, { ...again, tenantId: tenant.id });
  recordRefusedCall(now, { ...again, tenantId: null });
  await Promise.all([flushRefusedCalls(), flushRefusedCalls()]);
  expect(total(await rowsOf(tenant.id))).toBe(10_001);
});

test('the name of every procedure can be recorded', async () => {
  const { userId, tenantId } = await makePerson((await makeTenant()).id);
  const names = Object.keys(appRouter._def.procedures);
  for (const procedure of names) {
    recordRefusedCall(new Date(), { userId, tenantId, procedure, code: 'not_found' });
    await flushRefusedCalls();
  }
  expect(new Set((await rowsOf(tenantId)).map(({ procedure }) => procedure))).toEqual(new Set(names));
});

test('owners see the refused calls of their members with filters and pages, and others do not', async () => {
  const tenant = await makeTenant();
  const [owner, desk] = [await makePerson(tenant.id), await makePerson(tenant.id, 'FRONT_DESK', 'Fiona Desk')];
  const cookie = await openSessionOf(owner);
  const list = async (input: object = {}) =>
    (await callProcedure('audit.refused_calls', { origin: server.origin, cookie, type: 'query', input })) as {
      data: { lines: Line[]; previous: string | null; next: string | null };
    };
  const made = { tenantId: tenant.id, userId: desk.userId, procedure: 'team.list' };
  const data = Array.from({ length: 70 }, (_, n) => {
    const minute = new Date(Date.UTC(2026, 0, 1, 0, n));
    return {
      ...made,
      id: `rfc_${String(n).padStart(26, '0')}`,
      code: n ? 'forbidden' : 'not_found',
      minute,
      at: minute,
    };
  });
  await db().refusedCall.createMany({ data });
  const first = (await list()).data;
  const second = (await list({ cursor: first.next })).data;
  expect([first.lines.length, second.lines.length, second.next]).toEqual([50, 20, null]);
  expect((await list({ cursor: second.previous, back: true })).data.lines).toEqual(first.lines);
  expect((await list({ code: 'not_found' })).data.lines).toMatchObject([
    { user_name: 'Fiona Desk', procedure: 'team.list', code: 'not_found', calls: 1 },
  ]);
  expect((await list({ person: owner.userId })).data.lines).toEqual([]);
  expect(await list({ cursor: 'x' })).toMatchObject({ error: { reason: 'cursor_mismatch' } });
  const other = await openSessionOf(await makePerson(tenant.id, 'SUPPORT'));
  const refused = await callProcedure('audit.refused_calls', { origin: server.origin, cookie: other, type: 'query' });
  expect(refused.status).toBe(403);
});
