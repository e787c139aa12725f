import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { hashToken } from '@/lib/access/owners/invitations';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, type Person, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

async function enter(person: Person) {
  const cookie = await signInOverHttp(origin, person.email, person.password);
  const call = (type: 'query' | 'mutation') => (path: string, input?: unknown) =>
    callProcedure(path, { origin, cookie, type, input });
  return { ...person, cookie, query: call('query'), mutate: call('mutation') };
}

async function makeTeam() {
  const tenant = await makeTenant({ name: 'Salon Nord' });
  const owner = await enter(await makePerson(tenant.id, 'OWNER', 'Olivia Owner'));
  const invite = async (role: 'OWNER' | 'SUPPORT' = 'SUPPORT', email = `${newId('usr')}@new.example`) => {
    const reply = await owner.mutate('team.invite', { email, role });
    expect(reply).toMatchObject({ status: 200 });
    const { id, link } = reply.data as { id: string; link: string };
    return { id, email, link, token: link.split('/invite/')[1] ?? '' };
  };
  return { tenant, owner, invite };
}

type Reply = { status: number; body: { error?: { code: string; fields: { path: string }[] } } };

/** Accepts an invitation like the page of its link. */
async function accept(
  body: object,
  { cookie, address = freshAddress() }: { cookie?: string | null; address?: string } = {},
) {
  const dispatcher = new Agent({ localAddress: address });
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}/api/invite`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-partner-booking': 'control-center',
      ...(cookie ? { cookie } : {}),
    },
    body: JSON.stringify(body),
  });
  const reply: Reply = { status: answer.statusCode, body: (await answer.body.json()) as Reply['body'] };
  await dispatcher.close();
  return reply;
}

async function pageOf(token: string, cookie?: string | null): Promise<string> {
  const answer = await request(`${origin}/invite/${token}`, { headers: cookie ? { cookie } : {} });
  return (await answer.body.text()).replaceAll('<!-- -->', '');
}

const PASSWORD = 'correct horse battery';
const CHOSEN = { name: 'New Person', password: PASSWORD };

test('shows inviter and role, creates a member once, and stores only the hash of the token', async () => {
  const { tenant, owner, invite } = await makeTeam();
  const { token, email, link } = await invite('OWNER');
  expect(link).toMatch(/^http:\/\/localhost:\d+\/invite\/[\w-]{43}$/);
  const row = await db().invitation.findUniqueOrThrow({ where: { tokenHash: hashToken(token) } });
  expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(7 * 86_400_000);
  const stored = await db().$queryRaw`SELECT i::text AS text FROM invitations i WHERE tenant_id = ${tenant.id}`;
  expect(JSON.stringify(stored)).not.toContain(token);
  const page = await pageOf(token);
  for (const text of ['Salon Nord', 'Olivia Owner', email, 'owner']) expect(page).toContain(text);
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 200 });
  const cookie = await signInOverHttp(origin, email, PASSWORD);
  const me = await callProcedure('session.me', { origin, cookie, type: 'query' });
  expect(me.data).toMatchObject({ name: 'New Person', role: 'OWNER', tenant_name: 'Salon Nord' });
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 404 });
  expect(await pageOf(token)).toContain('This link doesn’t work');
  expect((await owner.query('team.list')).data).toMatchObject({ members: [{}, {}], invitations: [] });
  const lines = await db().auditLog.findMany({ where: { tenantId: tenant.id }, orderBy: { id: 'asc' } });
  expect(lines.map(({ action }) => action)).toEqual(['invitation.created', 'member.joined']);
  expect(JSON.stringify(lines)).not.toContain(token);
});

test('returns the same 404 for an expired, revoked, replaced or unknown invitation', async () => {
  const { owner, invite } = await makeTeam();
  const [ended, revoked, replaced] = [await invite(), await invite(), await invite()];
  await db().invitation.update({
    where: { id: ended.id },
    data: { createdAt: new Date(Date.now() - 8 * 86_400_000), expiresAt: new Date(Date.now() - 1000) },
  });
  expect(await owner.mutate('team.revoke_invitation', { invitation_id: revoked.id })).toMatchObject({ status: 200 });
  const newer = await invite('SUPPORT', replaced.email);
  const never = { token: 'A'.repeat(43) };
  const bad = await accept({ ...never, ...CHOSEN });
  for (const { token } of [ended, revoked, replaced, never]) {
    expect(await accept({ token, ...CHOSEN })).toEqual(bad);
    expect(await pageOf(token)).toContain('This link doesn’t work');
  }
  expect(bad).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await accept({ token: newer.token, ...CHOSEN })).toMatchObject({ status: 200 });
  expect(await owner.mutate('team.revoke_invitation', { invitation_id: newer.id })).toMatchObject({ status: 404 });
});

test('lets only one of several concurrent requests accept an invitation', async () => {
  const { tenant, invite } = await makeTeam();
  const { token } = await invite();
  const replies = await Promise.all([1, 2, 3].map(() => accept({ token, ...CHOSEN })));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await db().membership.count({ where: { tenantId: tenant.id } })).toBe(2);
});

test('names an invalid name or password and keeps the link valid', async () => {
  const { invite } = await makeTeam();
  const { token } = await invite();
  for (const [path, bad] of [
    ['name', { ...CHOSEN, name: ' ' }],
    ['password', { ...CHOSEN, password: 'eleven char' }],
  ] as const) {
    expect(await accept({ token, ...bad })).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } });
  }
  expect(await accept({ token, name: 'No password' })).toMatchObject({ status: 400 });
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 200 });
});

test('requires the password or the session of an existing account with the invited email address', async () => {
  const { tenant, invite } = await makeTeam();
  const elsewhere = await makeTenant();
  const person = await makePerson(elsewhere.id, 'OWNER', 'Has One');
  const first = await invite('SUPPORT', person.email.toUpperCase());
  expect(await pageOf(first.token)).toContain('You already have an account');
  expect(await accept({ token: first.token, ...CHOSEN })).toMatchObject({
    status: 400,
    body: { error: { fields: [{ path: 'password' }] } },
  });
  expect(await accept({ token: first.token, name: '', password: person.password })).toMatchObject({ status: 200 });
  expect(await db().membership.count({ where: { tenantId: tenant.id, userId: person.userId } })).toBe(1);
  const other = await enter(await makePerson(elsewhere.id, 'OWNER', 'Another One'));
  const second = await invite('SUPPORT', other.email);
  const stranger = await enter(await makePerson(elsewhere.id, 'OWNER', 'A Stranger'));
  const signedIn = { token: second.token, signed_in: true };
  expect(await pageOf(second.token, stranger.cookie)).toContain('This link is for another email address');
  expect(await accept(signedIn, { cookie: stranger.cookie })).toMatchObject({ status: 404 });
  expect(await accept(signedIn)).toMatchObject({ status: 401 });
  expect(await accept(signedIn, { cookie: other.cookie })).toMatchObject({ status: 200 });
});

test('lets a removed member join again with a new password', async () => {
  const { owner, invite } = await makeTeam();
  const first = await invite();
  await accept({ token: first.token, ...CHOSEN });
  const { members } = (await owner.query('team.list')).data as { members: { user_id: string; email: string }[] };
  const user_id = members.find(({ email }) => email === first.email)?.user_id;
  expect(await owner.mutate('team.remove', { user_id })).toMatchObject({ status: 200 });
  const again = await invite('SUPPORT', first.email);
  expect(await pageOf(again.token)).not.toContain('You already have an account');
  const password = 'another horse battery';
  expect(await accept({ token: again.token, name: 'New Person', password })).toMatchObject({ status: 200 });
  expect(await signInOverHttp(origin, first.email, PASSWORD)).toBeNull();
  expect(await signInOverHttp(origin, first.email, password)).not.toBeNull();
});

test('limits guessing of links per address', async () => {
  const { invite } = await makeTeam();
  const { token } = await invite();
  const address = freshAddress();
  const statuses = [];
  for (let i = 0; i < 31; i += 1) {
    statuses.push((await accept({ token: 'B'.repeat(43), ...CHOSEN }, { address })).status);
  }
  expect(statuses).toEqual([...Array(30).fill(404), 429]);
  expect(await accept({ token, ...CHOSEN }, { address })).toMatchObject({ status: 429 });
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 200 });
});

test('rejects the invitation of a member and calls from other sites', async () => {
  const { owner, invite } = await makeTeam();
  expect(await owner.mutate('team.invite', { email: owner.email, role: 'OWNER' })).toMatchObject({
    status: 400,
    error: { fields: [{ path: 'email' }] },
  });
  expect(await owner.mutate('team.invite', { email: 'no address', role: 'OWNER' })).toMatchObject({ status: 400 });
  const { token } = await invite();
  const body = JSON.stringify({ token, ...CHOSEN });
  const answer = await request(`${origin}/api/invite`, { method: 'POST', body });
  expect(answer.statusCode).toBe(403);
  await answer.body.dump();
});

test('applies a role from the next call on and ends every session of a removed member', async () => {
  const { tenant, owner } = await makeTeam();
  const person = await makePerson(tenant.id, 'SUPPORT', 'Sam Support');
  const [one, two] = [await enter(person), await enter(person)];
  const target = { user_id: person.userId };
  expect(await one.query('team.list')).toMatchObject({ status: 403 });
  expect(await owner.mutate('team.set_role', { ...target, role: 'OWNER' })).toMatchObject({ status: 200 });
  expect(await one.query('team.list')).toMatchObject({ status: 200 });
  expect(await owner.mutate('team.remove', target)).toMatchObject({ status: 200 });
  for (const session of [one, two]) expect(await session.query('session.me')).toMatchObject({ status: 401 });
  expect(await db().session.count({ where: { userId: person.userId, endedAt: null } })).toBe(0);
  expect(await signInOverHttp(origin, person.email, person.password)).toBeNull();
  expect(await owner.mutate('team.remove', target)).toMatchObject({ status: 404 });
  expect(await db().auditLog.findMany({ where: { objectId: person.userId }, orderBy: { id: 'asc' } })).toMatchObject([
    { action: 'member.role_changed', before: { role: 'SUPPORT' }, after: { role: 'OWNER' } },
    { action: 'member.removed', before: { email: person.email, role: 'OWNER' } },
  ]);
});

test('keeps the last owner', async () => {
  const { tenant, owner } = await makeTeam();
  await makePerson(tenant.id, 'SUPPORT');
  const self = { user_id: owner.userId };
  for (const [path, input] of [
    ['team.remove', self],
    ['team.set_role', { ...self, role: 'SUPPORT' }],
  ] as const) {
    expect(await owner.mutate(path, input)).toMatchObject({ status: 409, error: { code: 'last_owner' } });
  }
  expect(await owner.query('team.list')).toMatchObject({ status: 200 });
});

test('keeps one owner when two concurrently remove or demote each other', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tenant, owner } = await makeTeam();
    const second = await enter(await makePerson(tenant.id, 'OWNER', 'Second Owner'));
    await Promise.all([
      owner.mutate('team.remove', { user_id: second.userId }),
      second.mutate('team.set_role', { user_id: owner.userId, role: 'SUPPORT' }),
      second.mutate('team.remove', { user_id: second.userId }),
      owner.mutate('team.set_role', { user_id: owner.userId, role: 'SUPPORT' }),
    ]);
    expect(await db().membership.count({ where: { tenantId: tenant.id, role: 'OWNER' } })).toBe(1);
  }
});

test('ends all other sessions when the password changes', async () => {
  const { tenant } = await makeTeam();
  const person = await makePerson(tenant.id, 'SUPPORT');
  const [here, there] = [await enter(person), await enter(person)];
  const change = (current_password: string, new_password: string) =>
    here.mutate('session.change_password', { current_password, new_password });
  expect(await change('wrong', PASSWORD)).toMatchObject({
    status: 400,
    error: { fields: [{ path: 'current_password' }] },
  });
  expect(await change(person.password, 'short')).toMatchObject({ error: { fields: [{ path: 'new_password' }] } });
  expect(await there.query('session.me')).toMatchObject({ status: 200 });
  expect(await change(person.password, PASSWORD)).toMatchObject({ status: 200 });
  expect(await here.query('session.me')).toMatchObject({ status: 200 });
  expect(await there.query('session.me')).toMatchObject({ status: 401 });
  expect(await signInOverHttp(origin, person.email, person.password)).toBeNull();
  expect(await signInOverHttp(origin, person.email, PASSWORD)).not.toBeNull();
  const [line, ...more] = await db().auditLog.findMany({ where: { objectId: person.userId } });
  expect([line?.action, line?.before, line?.after, more]).toEqual(['user.password_changed', null, null, []]);
});

test('limits guesses of the current password within a session', async () => {
  const { owner } = await makeTeam();
  const statuses = [];
  for (let i = 0; i < 7; i += 1) {
    const input = { current_password: 'wrong', new_password: PASSWORD };
    statuses.push((await owner.mutate('session.change_password', input)).status);
  }
  expect(statuses).toEqual([...Array(6).fill(400), 429]);
});
