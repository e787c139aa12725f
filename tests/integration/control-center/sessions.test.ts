import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { UNATTENDED_HEADER } from '@/app/_components/unattended';
import { db } from '@/lib/platform/db';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, type Person, sessionIdOf, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { completeOverHttp, setUpTotp } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { enter } from './team-people';

const { origin } = sharedServer();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0';

type Listed = { id: string; browser: string | null; network: string | null; current: boolean; last_used_at: string };

const me = async (cookie: string | null) =>
  (await callProcedure('session.me', { origin, cookie, type: 'query' })).status;

const listOf = async (cookie: string | null) =>
  (await callProcedure('session.list', { origin, cookie, type: 'query' })).data as Listed[];

const change = (cookie: string | null, path: string, input?: object) =>
  callProcedure(path, { origin, cookie, type: 'mutation', input });

/** Signs in a person with a browser. */
const signInWith = ({ email, password }: Person, userAgent: string, address = freshAddress(), cookie?: string | null) =>
  signInOverHttp(origin, email, password, address, { userAgent, ...(cookie && { cookie }) });

/** Moves the times of a session into the past. */
async function age(cookie: string | null, ages: { lastUsed?: number; started?: number }): Promise<void> {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const data = {
    ...(ages.lastUsed !== undefined && { lastUsedAt: ago(ages.lastUsed) }),
    ...(ages.started !== undefined && { createdAt: ago(ages.started) }),
  };
  await db().session.update({ where: { id: await sessionIdOf(cookie) }, data });
}

test('a person sees their sessions, ends one of them, and ends all others', async () => {
  const person = await makePerson((await makeTenant()).id, 'FRONT_DESK');
  const [home, work] = [freshAddress(), freshAddress()];
  const here = await signInWith(person, CHROME, home);
  const there = await signInWith(person, FIREFOX, work);
  const odd = await signInWith(person, 'x'.repeat(3_000));
  const listed = await listOf(here);
  expect(listed).toMatchObject([
    { id: await sessionIdOf(here), browser: 'Chrome (Windows)', network: home, current: true },
    { browser: null, current: false },
    { id: await sessionIdOf(there), browser: 'Firefox (Linux)', network: work, current: false },
  ]);
  expect(JSON.stringify(listed)).not.toContain('xxx');
  const stranger = await signInWith(await makePerson((await makeTenant()).id), CHROME);
  expect((await change(here, 'session.end', { session_id: await sessionIdOf(stranger) })).status).toBe(404);
  expect(await me(stranger)).toBe(200);
  const theirs = { session_id: await sessionIdOf(there) };
  expect((await change(here, 'session.end', theirs)).status).toBe(200);
  expect((await change(here, 'session.end', theirs)).status).toBe(404);
  expect([await me(here), await me(there), await me(odd)]).toEqual([200, 401, 200]);
  expect((await change(here, 'session.end_others')).status).toBe(200);
  expect([await me(here), await me(odd)]).toEqual([200, 401]);
  expect(await listOf(here)).toHaveLength(1);
  const entries = await db().auditLog.findMany({ where: { tenantId: person.tenantId } });
  expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['user.sessions_ended', person.userId],
    ['user.sessions_ended', person.userId],
  ]);
});

test('a sign-in ends the session that the same browser had, and no other session', async () => {
  const person = await makePerson((await makeTenant()).id);
  const [first, elsewhere] = [await signInWith(person, CHROME), await signInWith(person, FIREFOX)];
  expect(await signInWith({ ...person, password: 'not the password' }, CHROME, freshAddress(), first)).toBeNull();
  expect(await me(first)).toBe(200);
  const second = await signInWith(person, CHROME, freshAddress(), first);
  expect([await me(first), await me(second), await me(elsewhere)]).toEqual([401, 200, 200]);
  const other = await makePerson(person.tenantId);
  const third = await signInWith(other, CHROME, freshAddress(), second);
  expect([await me(second), await me(third)]).toEqual([401, 200]);
  const { codes } = await setUpTotp(person, new Date());
  const waiting = await signInWith(person, CHROME, freshAddress(), third);
  expect(await me(third)).toBe(401);
  const again = await signInWith(person, CHROME, freshAddress(), waiting);
  expect(await completeOverHttp(origin, waiting, codes[0] ?? '')).toBeNull();
  expect(await me(await completeOverHttp(origin, again, codes[1] ?? ''))).toBe(200);
});

test('a session that nobody uses for two hours ends, for procedures, pages, and exports', async () => {
  const person = await makePerson((await makeTenant()).id);
  const cookie = (await signInWith(person, CHROME)) ?? '';
  const page = `/t/${person.tenantId}/team`;
  const get = async (path: string) => {
    const { statusCode, headers, body } = await request(`${origin}${path}`, { headers: { cookie } });
    await body.dump();
    return { status: statusCode, location: String(headers.location ?? '') };
  };
  const exported = async () => {
    const headers = { 'x-partner-booking': 'control-center', 'content-type': 'application/json', cookie };
    const url = `${origin}/api/control-center/audit-export`;
    const sent = { method: 'POST', headers: { ...headers, [TENANT_HEADER]: person.tenantId }, body: '{}' } as const;
    const { statusCode, body } = await request(url, sent);
    await body.dump();
    return statusCode;
  };
  expect(await me(cookie)).toBe(200);
  for (const [minutes, status] of [
    [119, 200],
    [120, 401],
  ] as const) {
    await age(cookie, { lastUsed: minutes });
    expect(await me(cookie), `${minutes}`).toBe(status);
    await age(cookie, { lastUsed: minutes });
    expect(await exported(), `${minutes}`).toBe(status);
    await age(cookie, { lastUsed: minutes });
    expect((await get(page)).status, `${minutes}`).toBe(status === 200 ? 200 : 307);
  }
  expect((await get('/')).location).toMatch(/^\/sign-in/);
  const other = await signInWith(person, FIREFOX);
  expect(await listOf(other)).toHaveLength(1);
});

test('the use of a session is recorded at most once a minute, and not for a page that nobody uses', async () => {
  const person = await makePerson((await makeTenant()).id);
  const cookie = await signInWith(person, CHROME);
  const lastUsed = async () => {
    const { lastUsedAt } = await db().session.findUniqueOrThrow({ where: { id: await sessionIdOf(cookie) } });
    return Date.now() - lastUsedAt.getTime();
  };
  const headers = { [TENANT_HEADER]: person.tenantId };
  const call = (more: Record<string, string> = {}) =>
    callProcedure('session.me', { origin, cookie, type: 'query', headers: { ...headers, ...more } });
  await age(cookie, { lastUsed: 0.5 });
  await call();
  expect(await lastUsed()).toBeGreaterThan(29_000);
  await age(cookie, { lastUsed: 100 });
  expect((await call({ [UNATTENDED_HEADER]: '1' })).status).toBe(200);
  expect(await lastUsed()).toBeGreaterThan(99 * 60_000);
  await call();
  expect(await lastUsed()).toBeLessThan(60_000);
});

test('an owner ends all sessions of a member, and learns nothing about another business of the member', async () => {
  const [tenant, elsewhere] = [await makeTenant(), await makeTenant()];
  const owner = await enter(await makePerson(tenant.id, 'OWNER', 'Olivia Owner'));
  const single = await makePerson(tenant.id, 'SUPPORT');
  const shared = await makePerson(tenant.id, 'OWNER');
  await db().membership.create({ data: { tenantId: elsewhere.id, userId: shared.userId, role: 'OWNER' } });
  const replies = [];
  for (const person of [single, shared]) {
    const cookies = [await signInWith(person, CHROME), await signInWith(person, FIREFOX)];
    const reply = await owner.mutate('team.end_sessions', { user_id: person.userId });
    replies.push({ ...reply, data: null });
    for (const cookie of cookies)
      for (const id of [tenant.id, elsewhere.id]) {
        const headers = { [TENANT_HEADER]: id };
        expect((await callProcedure('session.me', { origin, cookie, type: 'query', headers })).status).toBe(401);
      }
  }
  expect(replies[0]).toMatchObject({ status: 200, error: null });
  expect(replies[1]).toEqual(replies[0]);
  const where = { action: 'member.sessions_ended' };
  expect(
    await db().auditLog.findMany({ where: { ...where, tenantId: tenant.id }, orderBy: { id: 'asc' } }),
  ).toMatchObject([
    { actorId: owner.userId, objectId: single.userId },
    { actorId: owner.userId, objectId: shared.userId },
  ]);
  expect(await db().auditLog.count({ where: { tenantId: elsewhere.id } })).toBe(0);
  expect((await owner.mutate('team.end_sessions', { user_id: owner.userId })).status).toBe(403);
  const stranger = await makePerson(elsewhere.id);
  const theirs = await signInWith(stranger, CHROME);
  expect((await owner.mutate('team.end_sessions', { user_id: stranger.userId })).status).toBe(404);
  expect(await me(theirs)).toBe(200);
});

test('half an hour after the sign-in, sensitive changes and exports need a proof', async () => {
  const person = await makePerson((await makeTenant()).id);
  const { codes } = await setUpTotp(person, new Date());
  const cookie = await completeOverHttp(origin, await signInWith(person, CHROME), codes[0] ?? '');
  const invite = () => change(cookie, 'team.invite', { email: 'new@example.com', role: 'SUPPORT' });
  const exported = async () => {
    const headers = { 'x-partner-booking': 'control-center', 'content-type': 'application/json', cookie: cookie ?? '' };
    const url = `${origin}/api/control-center/audit-export`;
    const sent = { method: 'POST', headers: { ...headers, [TENANT_HEADER]: person.tenantId }, body: '{}' } as const;
    const { statusCode, body } = await request(url, sent);
    await body.dump();
    return statusCode;
  };
  const isConfirmed = async () =>
    (await callProcedure('session.require_confirmed', { origin, cookie, type: 'query' })).status;
  await age(cookie, { started: 29 });
  expect([(await invite()).status, await exported(), await isConfirmed()]).toEqual([200, 200, 200]);
  await age(cookie, { started: 31 });
  expect(await invite()).toMatchObject({ status: 403, error: { code: 'confirmation_required' } });
  expect([await exported(), await isConfirmed()]).toEqual([403, 403]);
  for (const path of ['keys.issue', 'keys.rotate', 'webhooks.rotate', 'team.set_role', 'applications.create'])
    expect((await change(cookie, path, {})).error?.code, path).toMatch(/^(confirmation_required|invalid_request)$/);
  expect((await callProcedure('team.list', { origin, cookie, type: 'query' })).status).toBe(200);
  const { password } = person;
  for (const proof of [{ password: 'wrong', code: codes[1] }, { password }, { password, code: codes[0] }])
    expect((await change(cookie, 'session.confirm', proof)).status).toBe(400);
  expect((await change(cookie, 'session.confirm', { password, code: codes[1] })).status).toBe(200);
  expect([(await invite()).status, await exported(), await isConfirmed()]).toEqual([200, 200, 200]);
});
