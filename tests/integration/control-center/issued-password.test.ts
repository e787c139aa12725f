import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { invite } from '@/lib/access/owners/invitations';
import { issuePassword } from '@/lib/access/owners/password';
import { memberOf } from '@/lib/access/owners/session';
import { signIn } from '@/lib/access/owners/sign-in';
import { appRouter } from '@/lib/control-center/trpc/router';
import { db } from '@/lib/platform/db';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, postAsPage, sessionIdOf, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { freshDataDir, launch } from '@/tests/support/launcher';
import { completeOverHttp, setUpTotp } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { SOAK } from '@/tests/support/soak';
import { callAs } from '../isolation/calls';

const { origin } = sharedServer();
const HOUR = 3_600_000;

async function issueTo(email: string, resetSecondFactor = false, now = new Date()): Promise<string> {
  return (await issuePassword(now, { email, resetSecondFactor })) ?? '';
}

const attempt = (email: string, password: string, now: Date) =>
  signIn({ email, password, address: freshAddress(), ticket: '', tenantId: '' }, now);

test('with an issued password, a person can only set a new password', async () => {
  const tenant = await makeTenant();
  const person = await makePerson(tenant.id, 'OWNER', 'Olivia Owner');
  const before = await signInOverHttp(origin, person.email, person.password);
  const password = await issueTo(person.email);
  expect(await signInOverHttp(origin, person.email, person.password)).toBeNull();
  const cookie = await signInOverHttp(origin, person.email, password);
  const call = (path: string, type: 'query' | 'mutation', input?: object) =>
    callProcedure(path, { origin, cookie, type, input, headers: { [TENANT_HEADER]: tenant.id } });
  expect((await callProcedure('session.me', { origin, cookie: before, type: 'query' })).status).toBe(401);

  const procedures = Object.entries(
    appRouter._def.procedures as unknown as Record<string, { _def: { type: 'query' | 'mutation' } }>,
  );
  const others = procedures.filter(([path]) => path !== 'session.change_password');
  const member = await memberOf(await sessionIdOf(cookie), new Date(), tenant.id);
  if (member === null || member === 'outsider') throw new Error('no member');
  const refused = { status: 403, body: expect.stringContaining('"code":"password_change_required"') };
  for (const [path] of others)
    expect([path, await callAs({ member }, path, '{}', new Date())]).toMatchObject([path, refused]);
  expect((await call('team.list', 'query')).error?.code).toBe('password_change_required');
  const headers = { cookie: cookie ?? '', 'x-partner-booking': 'control-center', 'content-type': 'application/json' };
  for (const path of ['', '/team', '/audit', '/account', '/bookings']) {
    const page = await request(`${origin}/t/${tenant.id}${path}`, { headers });
    const text = await page.body.text();
    expect(text).toContain('Set a new password');
    // The messages of the section are in a script.
    expect(text.replaceAll(/<script[\s\S]*?<\/script>/g, '')).not.toContain('Open invitations');
  }
  const post = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: { ...headers, [TENANT_HEADER]: tenant.id }, body: JSON.stringify(body) };
    const response = await request(`${origin}${path}`, { ...sent, method: 'POST' });
    await response.body.dump();
    return response.statusCode;
  };
  expect(await post('/api/control-center/audit-export', {})).toBe(403);
  const token = 'a'.repeat(43);
  for (const body of [
    { token, signed_in: true },
    { token, name: 'Sam', password: 'a wholly new password' },
    { take_over: (await makeTenant()).id },
  ])
    expect(await post('/api/invite', body)).toBe(403);

  const same = await call('session.change_password', 'mutation', {
    current_password: password,
    new_password: password,
  });
  expect(same).toMatchObject({ status: 400, error: { fields: [{ path: 'new_password' }] } });
  const chosen = { current_password: password, new_password: 'a wholly new password' };
  expect((await call('session.change_password', 'mutation', chosen)).status).toBe(200);
  expect((await call('session.me', 'query')).status).toBe(200);
  const next = await signInOverHttp(origin, person.email, 'a wholly new password');
  expect((await callProcedure('session.me', { origin, cookie: next, type: 'query' })).status).toBe(200);
});

test('with an issued password, a person without a business sets a new one before joining any', async () => {
  const [tenant, stranger] = [await makeTenant(), await makeTenant()];
  const owner = await makePerson(tenant.id, 'OWNER', 'Olivia Owner');
  const email = `sam-${owner.userId}@example.com`;
  const by = {
    tenantId: tenant.id,
    actor: { kind: 'owner', id: owner.userId, tenantId: tenant.id },
    userId: owner.userId,
  } as const;
  const { link } = await invite(new Date(), { ...by, email, role: 'SUPPORT' });
  const accepting = {
    token: link.split('/invite/')[1] ?? '',
    person: null,
    name: 'Sam',
    password: 'correct horse battery',
  };
  await acceptInvitation(new Date(), accepting);
  const password = await issueTo(email);
  const cookie = (await signInOverHttp(origin, email, password)) ?? '';
  const headers = { cookie, 'x-partner-booking': 'control-center', 'content-type': 'application/json' };
  const takeOver = async () => {
    const { status, body } = await postAsPage(origin, '/api/invite', { take_over: tenant.id }, { cookie });
    return [status, body];
  };
  expect(await takeOver()).toMatchObject([403, { error: { code: 'password_change_required' } }]);
  const page = async () => (await request(`${origin}/join`, { headers })).body.text();
  expect(await page()).not.toContain(tenant.name);
  for (const id of [tenant.id, stranger.id, '']) {
    const input = { current_password: 'wrong', new_password: 'a wholly new password' };
    const given = { origin, cookie, type: 'mutation', input, headers: { [TENANT_HEADER]: id } } as const;
    expect(await callProcedure('session.change_password', given)).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'current_password' }] },
    });
  }
  const input = { current_password: password, new_password: 'a wholly new password' };
  const changed = { origin, cookie, type: 'mutation', input, headers: { [TENANT_HEADER]: '' } } as const;
  expect((await callProcedure('session.change_password', changed)).status).toBe(200);
  expect(await page()).toContain(tenant.name);
  expect(await takeOver()).toEqual([200, { tenant_id: tenant.id }]);
});

test('an issued password expires after a day, for the sign-in and for the change', async () => {
  const now = new Date();
  const { email, userId, tenantId } = await makePerson((await makeTenant()).id);
  const password = await issueTo(email, false, now);
  const after = (hours: number) => new Date(now.getTime() + hours * HOUR);
  expect(await attempt(email, password, after(23.9))).toHaveProperty('sessionId');
  expect(await attempt(email, password, after(24))).toBeNull();
  const cookie = await signInOverHttp(origin, email, password);
  await db().user.update({ where: { id: userId }, data: { passwordExpiresAt: new Date() } });
  const input = { current_password: password, new_password: 'a wholly new password' };
  const headers = { [TENANT_HEADER]: tenantId };
  const late = await callProcedure('session.change_password', { origin, cookie, type: 'mutation', input, headers });
  expect(late).toMatchObject({
    status: 400,
    error: { fields: [{ path: 'current_password', message: 'has expired' }] },
  });
});

test('an issued password leaves the second factor in place, unless the operator says otherwise', async () => {
  const person = await makePerson((await makeTenant()).id);
  const { codes } = await setUpTotp(person, new Date());
  const kept = await issueTo(person.email);
  const step = await signInOverHttp(origin, person.email, kept);
  const cookie = await completeOverHttp(origin, step, codes[0] ?? '');
  const headers = { [TENANT_HEADER]: person.tenantId };
  const reply = await callProcedure('session.me', { origin, cookie, type: 'query', headers });
  expect(reply.error?.code).toBe('password_change_required');

  const reset = await issueTo(person.email, true);
  expect(await attempt(person.email, reset, new Date())).toMatchObject({
    sessionId: expect.stringMatching(/^ses_/),
  });
  const entries = await db().auditLog.findMany({ where: { tenantId: person.tenantId }, orderBy: { id: 'asc' } });
  expect(entries.map(({ action, actorKind }) => [action, actorKind]).slice(1)).toEqual([
    ['user.password_issued', 'system'],
    ['user.password_issued', 'system'],
    ['member.second_factor_reset', 'system'],
  ]);
});

test('an invitation by a member gives the person a separate account, whose password does not expire', async () => {
  const [tenant, other] = [await makeTenant(), await makeTenant()];
  const person = await makePerson(tenant.id, 'SUPPORT');
  const owner = await makePerson(other.id);
  const actor = { kind: 'owner', id: owner.userId, tenantId: other.id } as const;
  const by = { tenantId: other.id, actor, userId: owner.userId };
  await issueTo(person.email);
  const { link } = await invite(new Date(), { ...by, email: person.email, role: 'SUPPORT' });
  await acceptInvitation(new Date(), {
    token: link.split('/invite/')[1] ?? '',
    person: null,
    name: 'Sam',
    password: 'correct horse battery',
  });
  const accounts = await db().user.findMany({ where: { email: person.email }, orderBy: { id: 'asc' } });
  expect(
    accounts.map(({ id, tenantId, passwordExpiresAt }) => [id === person.userId, tenantId, passwordExpiresAt]),
  ).toEqual([
    [true, null, expect.any(Date)],
    [false, other.id, null],
  ]);
});

test('the command removes the second factor only with its option, and refuses anything else', async () => {
  const person = await makePerson((await makeTenant()).id);
  await setUpTotp(person, new Date());
  const settings = {
    DATA_DIR: await freshDataDir(),
    DATABASE_URL: sharedServer().databaseUrl,
    SECRET_KEY: process.env.SECRET_KEY ?? '',
  };
  const run = async (...words: string[]) => {
    const command = launch(settings, ['password', ...words]);
    return { code: await command.ended(), output: command.output() };
  };
  const factors = () => db().totpFactor.count({ where: { userId: person.userId } });
  if (SOAK) {
    const kept = await run(person.email);
    expect(kept, kept.output).toMatchObject({ code: 0, output: expect.stringContaining('It works for 24 hours') });
    for (const words of [[], [person.email, 'another@example.com'], [person.email, '--reset']])
      expect(await run(...words)).toMatchObject({
        code: 1,
        output: expect.stringContaining('npm run password -- EMAIL'),
      });
  }
  expect(await factors()).toBe(1);
  const reset = await run(person.email, '--reset-second-factor');
  expect(reset, reset.output).toMatchObject({
    code: 0,
    output: expect.stringContaining('Any second factor was removed.'),
  });
  expect(await factors()).toBe(0);
  const issued = /The issued password is (\S+)\. /.exec(reset.output)?.[1] ?? '';
  expect(await attempt(person.email, issued, new Date())).toHaveProperty('sessionId');
});
