import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { hashToken } from '@/lib/access/owners/invitations';
import { db } from '@/lib/platform/db';
import { freshAddress } from '@/tests/support/client';
import {
  callProcedure,
  makePerson,
  openPage,
  postAsPage,
  signInOverHttp,
  tenantHeader,
} from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { enter, makeTeam, PASSWORD } from './team-people';

const { origin } = sharedServer();

/** Accepts an invitation with the request of the invitation page. */
const accept = (body: object, sender: Parameters<typeof postAsPage>[3] = {}) =>
  postAsPage(origin, '/api/invite', body, sender);

const pageOf = (token: string, cookie?: string | null) => openPage(origin, `/invite/${token}`, cookie);

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
  for (const text of ['Salon Nord', 'Olivia Owner', email, 'Your role: <b>Owner</b>']) expect(page).toContain(text);
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 200 });
  const cookie = await signInOverHttp(origin, email, PASSWORD);
  const me = await callProcedure('session.me', { origin, cookie, type: 'query' });
  expect(me.data).toMatchObject({ name: 'New Person', role: 'OWNER', tenant_name: 'Salon Nord' });
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 404 });
  expect(await pageOf(token)).toContain('This link does not work');
  expect((await owner.query('team.list')).data).toMatchObject({ members: [{}, {}], invitations: [] });
  const lines = await db().auditLog.findMany({ where: { tenantId: tenant.id }, orderBy: { id: 'asc' } });
  expect(lines.map(({ action }) => action)).toEqual(['invitation.created', 'member.joined']);
  expect(JSON.stringify(lines)).not.toContain(token);
});

test('an invited member of the front desk signs in and opens Bookings instead of the Overview', async () => {
  const { invite } = await makeTeam();
  const { token, email } = await invite('FRONT_DESK');
  expect(await pageOf(token)).toContain('Your role: <b>Front desk</b>');
  expect(await accept({ token, ...CHOSEN })).toMatchObject({ status: 200 });
  const cookie = await signInOverHttp(origin, email, PASSWORD);
  const me = await callProcedure('session.me', { origin, cookie, type: 'query' });
  expect(me.data).toMatchObject({ role: 'FRONT_DESK' });
  const headers = { cookie: cookie ?? '' };
  const { [TENANT_HEADER]: tenantId } = await tenantHeader(origin, cookie);
  const home = await request(`${origin}/t/${tenantId}`, { headers });
  expect(`${home.headers.location} ${await home.body.text()}`).toContain('/bookings');
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
    expect(await pageOf(token)).toContain('This link does not work');
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

test('lets an existing account join with its session, and refuses another person', async () => {
  const { tenant, invite } = await makeTeam();
  const elsewhere = await makeTenant();
  const other = await enter(await makePerson(elsewhere.id, 'OWNER', 'Another One'));
  const second = await invite('SUPPORT', other.email.toUpperCase());
  const stranger = await enter(await makePerson(elsewhere.id, 'OWNER', 'A Stranger'));
  const signedIn = { token: second.token, signed_in: true };
  expect(await pageOf(second.token, stranger.cookie)).toContain('This invitation is for another email address');
  expect(await accept(signedIn, { cookie: stranger.cookie })).toMatchObject({ status: 404 });
  expect(await accept(signedIn)).toMatchObject({ status: 401 });
  expect(await accept(signedIn, { cookie: other.cookie })).toMatchObject({ status: 200 });
  expect(await db().membership.count({ where: { tenantId: tenant.id, userId: other.userId } })).toBe(1);
});

test('lets a removed member join again with a new password', async () => {
  const { owner, invite } = await makeTeam();
  const first = await invite();
  await accept({ token: first.token, ...CHOSEN });
  const { members } = (await owner.query('team.list')).data as { members: { user_id: string; email: string }[] };
  const user_id = members.find(({ email }) => email === first.email)?.user_id;
  expect(await owner.mutate('team.remove', { user_id })).toMatchObject({ status: 200 });
  const again = await invite('SUPPORT', first.email);
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
