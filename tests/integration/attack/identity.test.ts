import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { changePassword } from '@/lib/access/owners/password';
import { completeSignIn } from '@/lib/access/owners/second-step';
import { type Member, memberOf } from '@/lib/access/owners/session';
import { signIn } from '@/lib/access/owners/sign-in';
import { removeMember } from '@/lib/access/owners/team';
import { confirmTotp, startTotp } from '@/lib/access/owners/totp';
import { inviteOwner } from '@/lib/operations/tenants/add';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { freshAddress } from '@/tests/support/client';
import { makePerson, sessionIdOf } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { setUpTotp, totpCode } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { enter, makeTeam } from '../control-center/team-people';

const { origin } = sharedServer();
const EVIL = 'the attacker chose this phrase';

async function memberFor(person: { email: string; password: string; tenantId: string }, at: Date): Promise<Member> {
  const result = await signIn({ ...person, address: freshAddress(), ticket: '' }, at);
  const member = result && 'sessionId' in result ? await memberOf(result.sessionId, at, person.tenantId) : null;
  if (member === null || member === 'outsider') throw new Error('cannot sign in');
  return member;
}

test('a removal does not close an account that joins another tenant at the same time', async () => {
  const { tenant, owner } = await makeTeam();
  const person = await makePerson(tenant.id, 'SUPPORT');
  const other = await makeTenant();
  let removal: Promise<void> | undefined;
  await db().$transaction(async (tx) => {
    // `joinSignedIn` and an acceptance of the operator's link do this.
    await tx.membership.create({ data: { tenantId: other.id, userId: person.userId, role: 'OWNER' } });
    const actor = { kind: 'owner', id: owner.userId, tenantId: tenant.id } as const;
    removal = removeMember(new Date(), { tenantId: tenant.id, actor, userId: person.userId });
    removal.catch(() => undefined);
    await until(
      async () =>
        (
          await pool().query<{ n: number }>(
            `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM users WHERE id%'`,
          )
        ).rows[0]?.n ?? 0,
      (n) => n > 0,
    );
  });
  await removal;
  const user = await db().user.findUniqueOrThrow({ where: { id: person.userId }, include: { memberships: true } });
  expect(user.memberships.map(({ tenantId }) => tenantId)).toEqual([other.id]);
  expect(user.closedAt).toBeNull();
});

test('the secret of an unfinished setup does not survive a new password', async () => {
  const now = new Date();
  const person = await makePerson((await makeTenant()).id, 'OWNER');
  const thief = await memberFor(person, now);
  const { secret } = await startTotp(now, thief);
  const victim = await memberFor(person, now);
  await changePassword(now, {
    person: victim,
    address: freshAddress(),
    current: person.password,
    next: 'a wholly new password',
  });
  // A stolen session, without the new password.
  const stolen = await memberOf(victim.sessionId, now, person.tenantId);
  if (stolen === null || stolen === 'outsider') throw new Error('no session');
  const codes = await confirmTotp(now, { member: stolen, address: freshAddress(), code: totpCode(secret, now) }).catch(
    ({ code }: { code: string }) => code,
  );
  expect(codes).toBe('not_found');
  expect(await db().totpFactor.count({ where: { userId: person.userId, confirmedAt: { not: null } } })).toBe(0);
});

test('the secret of an unfinished setup expires', async () => {
  const now = new Date();
  const person = await makePerson((await makeTenant()).id, 'OWNER');
  const { secret } = await startTotp(now, await memberFor(person, now));
  const later = new Date(now.getTime() + 3_600_000);
  const stolen = await memberFor(person, later);
  const codes = await confirmTotp(later, {
    member: stolen,
    address: freshAddress(),
    code: totpCode(secret, later),
  }).catch(({ code }: { code: string }) => code);
  expect(codes).toBe('not_found');
});

test('a network known from the attacker’s own account of the address does not lift the limit of wrong codes', async () => {
  const now = new Date();
  const person = await makePerson((await makeTenant()).id, 'OWNER', 'Victoria', undefined, false);
  await setUpTotp(person, now);
  const address = freshAddress();
  // The attacker invites the address to the own tenant, accepts, and signs in from `address`.
  const { invite } = await makeTeam();
  const { token } = await invite('OWNER', person.email);
  const own = await acceptInvitation(now, { token, person: null, name: 'Victoria Victim', password: EVIL });
  expect(await signIn({ email: person.email, password: EVIL, address, ticket: '', tenantId: own }, now)).toHaveProperty(
    'sessionId',
  );
  // A hundred wrong codes of the day.
  await db().signIn.create({
    data: {
      id: newId('sgn'),
      tenantId: person.tenantId,
      userId: person.userId,
      outcome: 'wrong_second_factor',
      method: 'totp',
      network: networkOf(freshAddress()),
      minute: new Date(Math.floor(now.getTime() / 60_000) * 60_000),
      at: now,
      attempts: 100,
    },
  });
  const step = await signIn({ ...person, address, ticket: '', tenantId: person.tenantId }, now);
  const stepId = step && 'sessionId' in step ? step.sessionId : '';
  expect(stepId).toMatch(/^sst_/);
  const tried = await completeSignIn(now, { stepId, code: '123456', address }).catch(
    ({ code }: { code: string }) => code,
  );
  expect(tried).toBe('rate_limited');
});

async function batch(cookie: string | null, tenantId: string, calls: [string, object][]) {
  const response = await request(`${origin}/api/trpc/${calls.map(([path]) => path).join(',')}?batch=1`, {
    method: 'POST',
    headers: {
      'x-partner-booking': 'control-center',
      'content-type': 'application/json',
      cookie: cookie ?? '',
      [TENANT_HEADER]: tenantId,
    },
    body: JSON.stringify(Object.fromEntries(calls.map(([, input], index) => [index, input]))),
  });
  const body = (await response.body.json()) as { result?: unknown; error?: { data: { code: string } } }[];
  return body.map(({ error }) => error?.data.code ?? 'done');
}

test('the calls of a batch after the end of its session are refused', async () => {
  const { tenant, owner } = await makeTeam();
  const id = await sessionIdOf(owner.cookie);
  const calls: [string, object][] = [
    ['session.end', { session_id: id }],
    ['team.invite', { email: `${newId('usr')}@evil.example`, role: 'OWNER' }],
  ];
  expect(await batch(owner.cookie, tenant.id, calls)).toEqual(['done', 'sign_in_required']);
});

test('the calls of a batch after a demotion are refused', async () => {
  const { tenant, owner } = await makeTeam();
  const sock = await enter(await makePerson(tenant.id, 'SUPPORT'));
  await makePerson(tenant.id, 'OWNER');
  const calls: [string, object][] = [
    ['team.set_role', { user_id: owner.userId, role: 'SUPPORT' }],
    ['team.set_role', { user_id: sock.userId, role: 'OWNER' }],
  ];
  expect(await batch(owner.cookie, tenant.id, calls)).toEqual(['done', 'forbidden']);
});

test('a password that the operator’s link replaces is recorded in every tenant of the account', async () => {
  const home = await makeTenant();
  const person = await makePerson(home.id, 'OWNER');
  const { link } = await inviteOwner(new Date(), (await makeTenant()).id, person.email);
  const token = link.split('/invite/')[1] ?? '';
  await acceptInvitation(new Date(), {
    token,
    person: null,
    name: 'Olivia Owner',
    password: 'a phrase that was chosen later',
  });
  const actions = (await db().auditLog.findMany({ where: { tenantId: home.id } })).map(({ action }) => action);
  expect(actions).toContain('user.password_changed');
});

test('a business that changes the letter case of its name keeps the name', async () => {
  const word = newId('ten').slice(-12);
  const owner = await enter(await makePerson((await makeTenant({ name: `First ${word}` })).id));
  const other = await enter(await makePerson((await makeTenant({ name: `Second ${word}` })).id));
  const rename = async (member: typeof owner, from: string, to: string) => {
    const before = { business_name: from, time_zone: 'Europe/Berlin', locales: ['en', 'de'] };
    return (await member.mutate('environment.change_business', { before, ...before, business_name: to })).status;
  };
  expect(await rename(owner, `First ${word}`, `Bravo ${word}`)).toBe(200);
  expect(await rename(owner, `Bravo ${word}`, `BRAVO ${word}`)).toBe(200);
  expect(await rename(other, `Second ${word}`, `Bravo ${word}`)).toBe(400);
  expect(await rename(other, `Second ${word}`, `BRAVO ${word}`)).toBe(400);
});
