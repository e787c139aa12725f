import { expect, test } from 'vitest';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { appRouter } from '@/lib/control-center/trpc/router';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

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
  // The number of rows of a minute is limited.
  for (const [minutes, procedure] of names.entries())
    recordRefusedCall(new Date(Date.now() - minutes * 60_000), { userId, tenantId, procedure, code: 'not_found' });
  await flushRefusedCalls();
  expect(new Set((await rowsOf(tenantId)).map(({ procedure }) => procedure))).toEqual(new Set(names));
});

test('owners see the refused calls of their members with filters and pages, and others do not', async () => {
  const tenant = await makeTenant();
  const [owner, desk] = [await makePerson(tenant.id), await makePerson(tenant.id, 'FRONT_DESK', 'Fiona Desk')];
  const cookie = await openSessionOf(owner);
  const list = async (input: object = {}) =>
    (await callProcedure('audit.refused_calls', { origin, cookie, type: 'query', input })) as {
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
  const refused = await callProcedure('audit.refused_calls', { origin, cookie: other, type: 'query' });
  expect(refused.status).toBe(403);
});
