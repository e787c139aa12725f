import { request } from 'undici';
import { describe, expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { changePassword, issuePassword } from '@/lib/access/owners/password';
import { memberOf } from '@/lib/access/owners/session';
import { signIn, signInVerified } from '@/lib/access/owners/sign-in';
import { inviteOwner } from '@/lib/operations/tenants/add';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { inControlCenter } from '@/lib/platform/tenant-scope';
import { freshAddress } from '@/tests/support/client';
import {
  callProcedure,
  cookieOf,
  makePerson,
  openPage,
  openSessionOf,
  postAsPage,
  sessionIdOf,
  signInOverHttp,
} from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { setUpTotp } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { recordStatements } from '@/tests/support/statements';
import { until } from '@/tests/support/until';
import { enter, makeTeam } from './team-people';

const { origin } = sharedServer();
const ISSUER = 'https://id.example';
const EVIL = 'the attacker chose this phrase';
const OWN = 'the victim chose this phrase';

/** Sends a body to the route of invitations. Returns the status and the code of the error. */
async function post(body: object, cookie?: string | null) {
  const answer = await postAsPage(origin, '/api/invite', body, { cookie });
  return { status: answer.status, code: answer.body.error?.code ?? null };
}

/** Accepts an invitation over HTTP. */
const accept = (link: string, body: object, cookie?: string | null) =>
  post({ token: link.split('/invite/')[1], ...body }, cookie);

/** Takes over the account with the person's address in a tenant. Returns the status and the code of the error. */
const takeOver = (tenantId: string, cookie: string | null) => post({ take_over: tenantId }, cookie);

const choose = (link: string, password: string) => accept(link, { name: 'Victoria Victim', password });

/** Signs in with a password. Returns the id of the session or the second step, or null. */
async function enterWith(email: string, password: string, tenantId = ''): Promise<string | null> {
  const result = await signIn({ email, password, address: freshAddress(), ticket: '', tenantId }, new Date());
  return result && 'sessionId' in result ? result.sessionId : null;
}

/** Like `enterWith`, as a cookie. */
const cookieWith = async (email: string, password: string) => cookieOf((await enterWith(email, password)) ?? '');

/** Returns the names of those of the tenants that the password of an address opens. */
async function opens(email: string, password: string, tenants: Record<string, string>): Promise<string[]> {
  const opened = new Set<string>();
  // The tenant that the person wants to open selects the account.
  for (const wanted of Object.values(tenants)) {
    const sessionId = await enterWith(email, password, wanted);
    for (const [name, id] of Object.entries(tenants)) {
      const access = sessionId === null ? null : await memberOf(sessionId, new Date(), id);
      if (access !== null && access !== 'outsider') opened.add(name);
    }
  }
  return [...opened].sort();
}

/**
 * Creates the attacker's tenant, and a second tenant whose owner the victim becomes. `attack` invites the victim's address
 * to the attacker's tenant, and accepts this invitation with the attacker's password. `provider` signs in the victim
 * through the OpenID provider.
 */
async function makeCase() {
  const attacker = await makeTeam();
  const genuine = await makeTenant({ name: 'Charlie Clinic' });
  const victim = `${newId('usr')}@charlie.example`;
  const tenants = { alpha: attacker.tenant.id, charlie: genuine.id };
  const attack = async () => {
    const { link } = await attacker.invite('OWNER', victim);
    expect(await choose(link, EVIL)).toEqual({ status: 200, code: null });
  };
  const link = async () => (await inviteOwner(new Date(), genuine.id, victim)).link;
  const provider = () => signInVerified(new Date(), { issuer: ISSUER, subject: victim, email: victim }, freshAddress());
  const attackerOpens = () => opens(victim, EVIL, tenants);
  const victimOpens = (password = OWN) => opens(victim, password, tenants);
  return { attacker, genuine, victim, tenants, attack, link, provider, attackerOpens, victimOpens };
}

describe('the password that an attacker sets through an invitation of the own tenant never opens another tenant', () => {
  test('attacker first; the victim chooses a password through the operator’s link', async () => {
    const { victim, tenants, attack, link, attackerOpens, victimOpens } = await makeCase();
    const genuine = await link();
    await attack();
    expect(await attackerOpens()).toEqual(['alpha']);
    expect(await choose(genuine, OWN)).toEqual({ status: 200, code: null });
    expect([await attackerOpens(), await victimOpens()]).toEqual([['alpha'], ['charlie']]);
    const cookie = await signInOverHttp(origin, victim, OWN);
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 200, code: null });
    expect([await attackerOpens(), await victimOpens()]).toEqual([[], ['alpha', 'charlie']]);
    expect(await db().user.count({ where: { email: victim, closedAt: null } })).toBe(1);
  });

  test('attacker first; the victim signs in through the provider and joins with one click', async () => {
    const { attacker, victim, genuine, tenants, attack, link, provider, attackerOpens } = await makeCase();
    const invitation = await link();
    await attack();
    const [stolen, older] = [await enterWith(victim, EVIL), await cookieWith(victim, EVIL)];
    const result = await provider();
    const sessionId = typeof result === 'object' ? result.sessionId : '';
    expect(sessionId).toMatch(/^ses_/);
    const user = await db().user.findFirstOrThrow({ where: { email: victim, addressProvenAt: { not: null } } });
    expect(user).toMatchObject({ passwordHash: null, tenantId: null, closedAt: null });
    expect(await memberOf(sessionId, new Date(), attacker.tenant.id)).toBe('outsider');
    const cookie = await openSessionOf({ userId: user.id });
    expect(await accept(invitation, { signed_in: true }, cookie)).toEqual({ status: 200, code: null });
    expect(await db().membership.count({ where: { tenantId: genuine.id, userId: user.id } })).toBe(1);
    expect(await attackerOpens()).toEqual(['alpha']);
    // Everything that was set without a proof ends when the victim takes over the membership.
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 200, code: null });
    expect(await attackerOpens()).toEqual([]);
    expect(await memberOf(stolen ?? '', new Date(), attacker.tenant.id)).toBeNull();
    expect((await callProcedure('session.me', { origin, cookie: older, type: 'query' })).status).toBe(401);
    expect(await memberOf(sessionId, new Date(), attacker.tenant.id)).toMatchObject({ role: 'OWNER' });
  });

  test('victim first; the attacker gets a separate account, which stays one of that tenant', async () => {
    const { victim, attack, link, provider, attackerOpens, victimOpens } = await makeCase();
    expect((await choose(await link(), OWN)).status).toBe(200);
    await attack();
    expect([await attackerOpens(), await victimOpens()]).toEqual([['alpha'], ['charlie']]);
    expect(await provider()).toHaveProperty('sessionId');
    expect([await attackerOpens(), await victimOpens()]).toEqual([['alpha'], ['charlie']]);
    expect(await db().user.count({ where: { email: victim, closedAt: null } })).toBe(2);
  });

  test('without any proof, each of two accounts opens its own tenant, also with the same password', async () => {
    const { genuine, victim, tenants, attack, attackerOpens, victimOpens } = await makeCase();
    const owner = await enter(await makePerson(genuine.id));
    const { data } = await owner.mutate('team.invite', { email: victim, role: 'OWNER' });
    expect((await choose((data as { link: string }).link, OWN)).status).toBe(200);
    await attack();
    expect([await attackerOpens(), await victimOpens()]).toEqual([['alpha'], ['charlie']]);
    const same = await makeTeam();
    const { link } = await same.invite('OWNER', victim);
    expect((await choose(link, OWN)).status).toBe(200);
    const both = { ...tenants, third: same.tenant.id };
    const session = await enterWith(victim, OWN, same.tenant.id);
    expect(await memberOf(session ?? '', new Date(), same.tenant.id)).toMatchObject({ role: 'OWNER' });
    expect(await memberOf(session ?? '', new Date(), genuine.id)).toBe('outsider');
    expect(await opens(victim, OWN, both)).toEqual(['charlie', 'third']);
  });

  test('a former member: neither the old password nor the attacker’s opens the tenant after the return', async () => {
    const { genuine, victim, attack, attackerOpens, victimOpens } = await makeCase();
    const owner = await enter(await makePerson(genuine.id));
    const invite = async () => {
      const { data } = await owner.mutate('team.invite', { email: victim, role: 'SUPPORT' });
      return (data as { link: string }).link;
    };
    const idOf = async () => {
      const { data } = await owner.query('team.list');
      const { members } = data as { members: { email: string; user_id: string }[] };
      return members.find(({ email }) => email === victim)?.user_id;
    };
    await choose(await invite(), 'the first phrase of the victim');
    const first = await idOf();
    expect((await owner.mutate('team.remove', { user_id: first })).status).toBe(200);
    expect(await db().user.findUniqueOrThrow({ where: { id: first } })).toMatchObject({
      passwordHash: null,
      closedAt: expect.any(Date),
    });
    await attack();
    expect(await attackerOpens()).toEqual(['alpha']);
    expect((await choose(await invite(), OWN)).status).toBe(200);
    expect(await idOf()).not.toBe(first);
    expect(await attackerOpens()).toEqual(['alpha']);
    expect(await victimOpens()).toEqual(['charlie']);
    expect(await victimOpens('the first phrase of the victim')).toEqual([]);
  });

  test('a member with a proven address who is removed and returns gets a new account', async () => {
    const { genuine, victim, link, provider } = await makeCase();
    const owner = await enter(await makePerson(genuine.id));
    const idOf = async () =>
      (await db().membership.findFirstOrThrow({ where: { tenantId: genuine.id, user: { email: victim } } })).userId;
    await choose(await link(), 'the first phrase of the victim');
    const first = await idOf();
    await provider();
    expect(await db().userIdentity.count({ where: { userId: first } })).toBe(1);
    expect((await owner.mutate('team.remove', { user_id: first })).status).toBe(200);
    expect(await provider()).toBe('unknown');
    await choose(await link(), OWN);
    expect(await idOf()).not.toBe(first);
    expect(await enterWith(victim, 'the first phrase of the victim')).toBeNull();
    expect(await provider()).toHaveProperty('sessionId');
  });

  test('npm run password proves the address, and the person then takes over the membership', async () => {
    const { attacker, victim, tenants, attack, attackerOpens, victimOpens } = await makeCase();
    await attack();
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim } });
    const person = { userId: id, tenantId: attacker.tenant.id, email: victim, password: EVIL, name: 'Victoria Victim' };
    await setUpTotp(person, new Date());
    expect(await enterWith(victim, EVIL)).toMatch(/^sst_/);
    const password =
      (await issuePassword(new Date(), { email: ` ${victim.toUpperCase()} `, resetSecondFactor: false })) ?? '';
    expect(await victimOpens(password)).toEqual([]);
    const cookie = await cookieWith(victim, password);
    const page = await request(`${origin}/`, { headers: { cookie: cookie ?? '' } });
    expect([page.statusCode, page.headers.location]).toEqual([307, '/join']);
    await page.body.dump();
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 403, code: 'password_change_required' });
    const input = { current_password: password, new_password: OWN };
    const change = { origin, cookie, type: 'mutation', input, headers: { [TENANT_HEADER]: '' } } as const;
    expect((await callProcedure('session.change_password', change)).status).toBe(200);
    // The operator did not ask for the end of the second factor, so the owner of the tenant resets it.
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 409, code: 'account_has_second_factor' });
    await attacker.owner.mutate('team.reset_second_factor', { user_id: id });
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 200, code: null });
    expect([await attackerOpens(), await victimOpens()]).toEqual([[], ['alpha']]);
    const owner = await db().user.findFirstOrThrow({ where: { email: victim, closedAt: null } });
    expect(owner.name).toBe('Victoria Victim');
    expect(await db().totpFactor.count({ where: { user: { email: victim } } })).toBe(0);
    expect(await db().recoveryCode.count({ where: { user: { email: victim } } })).toBe(0);
    expect(await db().secondStep.count({ where: { userId: id } })).toBe(0);
    const where = { tenantId: tenants.alpha, action: 'member.account_replaced' };
    expect(await db().auditLog.findMany({ where })).toMatchObject([
      { actorId: owner.id, before: { user_id: id }, after: { user_id: owner.id } },
    ]);
  });

  test('an account of another tenant cannot join with one click', async () => {
    const { victim, attack, link, attackerOpens } = await makeCase();
    await attack();
    const cookie = await cookieWith(victim, EVIL);
    const invitation = await link();
    expect(await accept(invitation, { signed_in: true }, cookie)).toEqual({ status: 403, code: 'forbidden' });
    expect(await attackerOpens()).toEqual(['alpha']);
  });

  test('the operator’s link recovers a proven account: other sessions end, second factors remain', async () => {
    const { genuine, victim, link } = await makeCase();
    await choose(await link(), OWN);
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim } });
    const person = { userId: id, tenantId: genuine.id, email: victim, password: OWN, name: 'Victoria Victim' };
    const before = await cookieWith(victim, OWN);
    await setUpTotp(person, new Date());
    const other = await makeTenant();
    const { link: second } = await inviteOwner(new Date(), other.id, victim);
    expect((await choose(second, 'a phrase that was chosen later')).status).toBe(200);
    expect((await callProcedure('session.me', { origin, cookie: before, type: 'query' })).status).toBe(401);
    expect(await enterWith(victim, OWN)).toBeNull();
    expect(await enterWith(victim, 'a phrase that was chosen later')).toMatch(/^sst_/);
    expect(await db().membership.count({ where: { userId: id } })).toBe(2);
  });
});

describe('a person takes over a membership with their address', () => {
  test('only with a proven address, a new sign-in, and an account to take over, in a tenant that is not suspended', async () => {
    const { attacker, victim, tenants, attack, link } = await makeCase();
    await choose(await link(), OWN);
    const stranger = await openSessionOf(await makePerson(tenants.charlie));
    const missing = { status: 404, code: 'not_found' };
    const cookie = await cookieWith(victim, OWN);
    expect(await takeOver(tenants.alpha, cookie)).toEqual(missing);
    await attack();
    expect(await takeOver(tenants.alpha, null)).toEqual({ status: 401, code: 'sign_in_required' });
    expect(await takeOver(tenants.alpha, stranger)).toEqual(missing);
    expect(await takeOver(tenants.charlie, cookie)).toEqual(missing);
    expect(await takeOver(newId('ten'), cookie)).toEqual(missing);
    const unproven = await cookieWith(victim, EVIL);
    expect(await takeOver(tenants.alpha, unproven)).toEqual(missing);
    await setTenantSuspended(new Date(), tenants.alpha, true);
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 403, code: 'business_suspended' });
    await setTenantSuspended(new Date(), tenants.alpha, false);
    const id = await sessionIdOf(cookie);
    const createdAt = new Date(Date.now() - 31 * 60_000);
    await db().session.update({ where: { id }, data: { createdAt } });
    expect(await takeOver(tenants.alpha, cookie)).toEqual({ status: 403, code: 'confirmation_required' });
    await db().session.update({ where: { id }, data: { createdAt: new Date() } });
    const done = await Promise.all([takeOver(tenants.alpha, cookie), takeOver(tenants.alpha, cookie)]);
    expect(done.map(({ status }) => status).sort()).toEqual([200, 404]);
    const member = { tenantId: attacker.tenant.id, user: { email: victim } };
    expect(await db().membership.findMany({ where: member })).toMatchObject([{ role: 'OWNER' }]);
  });

  test('not around the second factor of the other account', async () => {
    const { attacker, victim, tenants, attack, link, provider } = await makeCase();
    await attack();
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim } });
    const person = { userId: id, tenantId: attacker.tenant.id, email: victim, password: EVIL, name: 'Victoria Victim' };
    await setUpTotp(person, new Date());
    const guarded = { status: 409, code: 'account_has_second_factor' };
    // Whoever reads the mailbox gets a proven account in any of these ways.
    await choose(await link(), OWN);
    const cookies = [await cookieWith(victim, OWN)];
    const result = await provider();
    const { userId } = await db().session.findUniqueOrThrow({
      where: { id: typeof result === 'object' ? result.sessionId : '' },
    });
    cookies.push(await openSessionOf({ userId }));
    for (const cookie of cookies) expect(await takeOver(tenants.alpha, cookie)).toEqual(guarded);
    expect(await db().totpFactor.count({ where: { userId: id, confirmedAt: { not: null } } })).toBe(1);
    await db().totpFactor.deleteMany({ where: { userId: id } });
    const passkey = {
      name: 'Key',
      credentialId: Buffer.from(id),
      publicKey: Buffer.from('x'),
      counter: 0,
      transports: [],
    };
    await db().passkey.create({ data: { id: newId('psk'), userId: id, createdAt: new Date(), ...passkey } });
    expect(await takeOver(tenants.alpha, cookies[0] ?? null)).toEqual(guarded);
    await db().passkey.deleteMany({ where: { userId: id } });
    expect(await takeOver(tenants.alpha, cookies[0] ?? null)).toEqual({ status: 200, code: null });
  });

  test('the URL of the tenant leads to the page where they do this, and that of any other does not', async () => {
    const { victim, tenants, attack, link } = await makeCase();
    await choose(await link(), OWN);
    const cookie = await cookieWith(victim, OWN);
    const open = async (path: string) => {
      const { statusCode, headers, body } = await request(`${origin}${path}`, { headers: { cookie } });
      return { status: statusCode, location: headers.location, text: await body.text() };
    };
    expect((await open(`/t/${tenants.alpha}`)).status).toBe(404);
    expect(await open('/join')).toMatchObject({ status: 307, location: '/' });
    await attack();
    expect(await open(`/t/${tenants.alpha}`)).toMatchObject({ status: 307, location: '/join' });
    expect((await open(`/t/${(await makeTenant()).id}`)).status).toBe(404);
    expect((await open('/join')).text).toContain('aria-label="Join Salon Nord"');
    expect((await open(`/t/${tenants.charlie}/account`)).text).toContain('Salon Nord');
  });
});

describe('identity at the provider', () => {
  const user = (email: string, subject = email) => ({ issuer: ISSUER, subject, email });
  const enterVerified = (given: ReturnType<typeof user>) => signInVerified(new Date(), given, freshAddress());

  test('another user of the provider with the same address is refused and recorded', async () => {
    const { email, userId } = await makePerson((await makeTenant()).id);
    expect(await enterVerified(user(email))).toHaveProperty('sessionId');
    expect(await enterVerified(user(email, 'a different subject'))).toBe('other_identity');
    const rows = await until(
      () => db().signIn.findMany({ where: { userId, outcome: 'wrong_identity' } }),
      (found) => found.length === 1,
    );
    expect(rows[0]).toMatchObject({ method: 'provider', attempts: 1 });
    expect(await db().userIdentity.findMany({ where: { userId } })).toMatchObject([{ issuer: ISSUER, subject: email }]);
    // The operator resets the binding together with the password.
    await issuePassword(new Date(), { email, resetSecondFactor: false });
    expect(await enterVerified(user(email, 'a different subject'))).toHaveProperty('sessionId');
  });

  test('the same user keeps the account after a change of the address at the provider', async () => {
    const { email, userId } = await makePerson((await makeTenant()).id);
    await enterVerified(user(email));
    const result = await enterVerified(user(`${newId('usr')}@other.example`, email));
    expect(result).toHaveProperty('sessionId');
    expect(await db().session.count({ where: { userId } })).toBe(2);
  });

  test('concurrent first sign-ins of two users bind one of them', async () => {
    const { email } = await makePerson((await makeTenant()).id, 'OWNER', 'Olivia', undefined, false);
    const results = await Promise.all([
      enterVerified(user(email, `${email} 1`)),
      enterVerified(user(email, `${email} 2`)),
    ]);
    expect(results.filter((one) => one === 'other_identity')).toHaveLength(1);
    expect(await db().user.count({ where: { email, addressProvenAt: { not: null } } })).toBe(1);
  });
});

describe('invitations end with their sender', () => {
  test.for(['remove', 'demote'] as const)('%s', async (how) => {
    const { tenant, owner } = await makeTeam();
    const leaver = await enter(await makePerson(tenant.id, 'OWNER', 'Second Owner'));
    const { data } = await leaver.mutate('team.invite', { email: `${newId('usr')}@evil.example`, role: 'OWNER' });
    const { id, link } = data as { id: string; link: string };
    const target = { user_id: leaver.userId };
    const done =
      how === 'remove'
        ? await owner.mutate('team.remove', target)
        : await owner.mutate('team.set_role', { ...target, role: 'SUPPORT' });
    expect(done.status).toBe(200);
    expect(await choose(link, EVIL)).toEqual({ status: 404, code: 'not_found' });
    const where = { tenantId: tenant.id, action: 'invitation.revoked' };
    expect(await db().auditLog.findMany({ where })).toMatchObject([{ objectId: id, actorId: owner.userId }]);
  });

  test('an invitation whose sender an earlier version has demoted is refused', async () => {
    const { tenant, owner, invite } = await makeTeam();
    await makePerson(tenant.id);
    const { link } = await invite('OWNER');
    const key = { tenantId_userId: { tenantId: tenant.id, userId: owner.userId } };
    await db().membership.update({ where: key, data: { role: 'SUPPORT' } });
    expect(await choose(link, EVIL)).toEqual({ status: 404, code: 'not_found' });
  });

  test('its sender cannot accept it', async () => {
    const { owner, invite } = await makeTeam();
    const { link } = await invite('SUPPORT');
    expect(await accept(link, { name: 'Somebody Else', password: EVIL }, owner.cookie)).toEqual({
      status: 403,
      code: 'forbidden',
    });
    expect((await choose(link, EVIL)).status).toBe(200);
  });

  test('a suspended tenant accepts none, and the link works after it was resumed', async () => {
    const { tenant, invite } = await makeTeam();
    const { link } = await invite('SUPPORT');
    await setTenantSuspended(new Date(), tenant.id, true);
    expect(await choose(link, EVIL)).toEqual({ status: 403, code: 'business_suspended' });
    await setTenantSuspended(new Date(), tenant.id, false);
    expect((await choose(link, EVIL)).status).toBe(200);
  });
});

describe('an owner does not learn whether an address has an account', () => {
  test('the page of an invitation is the same', async () => {
    const { invite } = await makeTeam();
    const known = await makePerson((await makeTenant()).id);
    const pages = [];
    for (const email of [known.email, `${newId('usr')}@salon.example`]) {
      const { token } = await invite('SUPPORT', email);
      const text = await openPage(origin, `/invite/${token}`);
      pages.push(
        text
          .replaceAll(email, 'EMAIL')
          .replaceAll(token, 'TOKEN')
          .replaceAll(/nonce="[^"]*"/g, ''),
      );
    }
    const visible = (page = '') => /<main.*<\/main>/s.exec(page)?.[0];
    expect(visible(pages[0])).toContain('Existing account');
    expect(visible(pages[0])).toBe(visible(pages[1]));
  });

  test('the answer to an acceptance is the same', async () => {
    const { invite } = await makeTeam();
    const known = await makePerson((await makeTenant()).id);
    const answers = [];
    for (const email of [known.email, `${newId('usr')}@salon.example`])
      answers.push(await choose((await invite('SUPPORT', email)).link, EVIL));
    expect(answers).toEqual(Array(2).fill({ status: 200, code: null }));
    expect(await enterWith(known.email, known.password)).toMatch(/^ses_/);
  });

  test('an acceptance makes the database do the same work, whatever other accounts the address has', async () => {
    const { invite } = await makeTeam();
    const unproven = await (await makeTeam()).invite('SUPPORT');
    await choose(unproven.link, OWN);
    const known = await makePerson((await makeTenant()).id);
    const work = [];
    for (const email of [`${newId('usr')}@salon.example`, known.email, unproven.email]) {
      const { token } = await invite('SUPPORT', email);
      const given = { token, person: null, name: 'Victoria Victim', password: EVIL };
      const { sent } = await recordStatements(() => acceptInvitation(new Date(), given));
      work.push(sent.map(({ text }) => text.replaceAll(/-?\d{3,}/g, '…')).sort());
    }
    expect(work[1]).toEqual(work[0]);
    expect(work[2]).toEqual(work[0]);
  });

  test('the reset of a second factor is refused the same way with and without another business', async () => {
    const { tenant, owner } = await makeTeam();
    const [one, two] = [await makePerson(tenant.id, 'SUPPORT'), await makePerson(tenant.id, 'SUPPORT')];
    await db().membership.create({ data: { tenantId: (await makeTenant()).id, userId: two.userId, role: 'OWNER' } });
    const answers = [];
    for (const person of [one, two]) {
      await setUpTotp(person, new Date());
      answers.push(await owner.mutate('team.reset_second_factor', { user_id: person.userId }));
    }
    expect(answers[0]).toMatchObject({ status: 403, error: { code: 'operator_required' } });
    expect(answers[1]).toEqual(answers[0]);
  });

  test('nothing that the owner of a tenant sees depends on what the real user of the address does elsewhere', async () => {
    const { attacker, genuine, victim, attack, link, provider } = await makeCase();
    await attack();
    const views = ['team.list', 'audit.list', 'audit.sign_ins', 'audit.refused_calls'];
    const seen = () => Promise.all(views.map(async (path) => (await attacker.owner.query(path)).data));
    const before = await seen();
    await choose(await link(), OWN);
    expect(await enterWith(victim, OWN)).toMatch(/^ses_/);
    expect(await enterWith(victim, OWN, genuine.id)).toMatch(/^ses_/);
    expect(await provider()).toHaveProperty('sessionId');
    const password = (await issuePassword(new Date(), { email: victim, resetSecondFactor: false })) ?? '';
    expect(await enterWith(victim, password)).toMatch(/^ses_/);
    await choose((await inviteOwner(new Date(), (await makeTenant()).id, victim)).link, OWN);
    expect(await enterWith(victim, 'a mistyped phrase of the victim')).toBeNull();
    expect(await enterWith(victim, 'a mistyped phrase of the victim', genuine.id)).toBeNull();
    const failed = { tenantId: genuine.id, user: { email: victim }, outcome: 'wrong_password' };
    await until(
      () => db().signIn.aggregate({ where: failed, _sum: { attempts: true } }),
      ({ _sum }) => _sum.attempts === 2,
    );
    expect(await seen()).toEqual(before);
  });

  test('a guess is answered and recorded the same, whatever other accounts the address has', async () => {
    const NOW = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 1_000);
    const outcome = async (others: 'none' | 'proven' | 'unproven') => {
      const { attacker, victim, attack, link } = await makeCase();
      const further = async () => {
        const { link: one } = await (await makeTeam()).invite('SUPPORT', victim);
        expect((await choose(one, OWN)).status).toBe(200);
      };
      if (others === 'unproven') await further();
      await attack();
      if (others === 'proven') await choose(await link(), OWN);
      if (others === 'unproven') await further();
      const guess = async (address: string, tenantId = '') => {
        const result = await signIn({ email: victim, password: 'guess', address, ticket: '', tenantId }, NOW);
        return result && 'delay' in result ? result.delay.seconds : result;
      };
      const known = freshAddress();
      await signIn({ email: victim, password: EVIL, address: known, ticket: '', tenantId: attacker.tenant.id }, NOW);
      const answers = [await guess(freshAddress()), await guess(freshAddress(), attacker.tenant.id)];
      for (let n = 0; n < 9; n += 1) answers.push(await guess(freshAddress()));
      answers.push(await guess(known));
      const where = { tenantId: attacker.tenant.id, outcome: 'wrong_password' };
      const rows = await until(
        () => db().signIn.findMany({ where, orderBy: { at: 'asc' }, select: { network: true, attempts: true } }),
        (found) => found.length === 2,
      );
      return { answers, rows: rows.map(({ network, attempts }) => [network === null, attempts]).sort() };
    };
    const alone = await outcome('none');
    expect(alone).toEqual({
      answers: [...Array(10).fill(null), 1, null],
      rows: [
        [false, 1],
        [true, 1],
      ],
    });
    for (const others of ['proven', 'unproven'] as const) expect(await outcome(others), others).toEqual(alone);
  });

  test('a sign-in is shown to the tenants that it opens, and the team list shows only those', async () => {
    const [one, two] = [await makeTeam(), await makeTeam()];
    const person = await makePerson(one.tenant.id, 'SUPPORT');
    await db().membership.create({ data: { tenantId: two.tenant.id, userId: person.userId, role: 'SUPPORT' } });
    const opened = async ({ owner }: typeof one) => {
      const { members } = (await owner.query('team.list')).data as {
        members: { user_id: string; last_sign_in_at: string | null }[];
      };
      const { lines } = (await owner.query('audit.sign_ins', { person: person.userId })).data as {
        lines: { at: string }[];
      };
      const { last_sign_in_at: last } = members.find(({ user_id }) => user_id === person.userId) ?? {};
      expect(last).toBe(lines[0]?.at ?? null);
      return lines.length;
    };
    const cookie = await signInOverHttp(origin, person.email, person.password);
    const open = async (tenantId: string) => {
      const { body } = await request(`${origin}/t/${tenantId}/account`, { headers: { cookie: cookie ?? '' } });
      await body.dump();
    };
    expect([await opened(one), await opened(two)]).toEqual([0, 0]);
    await Promise.all([open(two.tenant.id), open(two.tenant.id)]);
    expect([await opened(one), await opened(two)]).toEqual([0, 1]);
    await open(one.tenant.id);
    await open(two.tenant.id);
    expect([await opened(one), await opened(two)]).toEqual([1, 1]);
    expect(await db().signIn.findMany({ where: { userId: person.userId } })).toMatchObject([
      { attempts: 1, method: 'password', network: expect.stringMatching(/^127\./) },
      { attempts: 1 },
    ]);
  });

  test('a change to how a member signs in is audited in each tenant of the member', async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const person = await makePerson(one.id, 'OWNER');
    await db().membership.create({ data: { tenantId: two.id, userId: person.userId, role: 'SUPPORT' } });
    const sessionId = await enterWith(person.email, person.password);
    const member = await memberOf(sessionId ?? '', new Date(), one.id);
    if (member === null || member === 'outsider') throw new Error('not signed in');
    const change = { person: member, address: freshAddress(), current: person.password, next: OWN };
    await inControlCenter(one.id, () => changePassword(new Date(), change));
    const where = { action: 'user.password_changed', actorId: person.userId };
    const entries = await db().auditLog.findMany({ where, orderBy: { tenantId: 'asc' } });
    expect(entries.map(({ tenantId }) => tenantId)).toEqual([one.id, two.id].sort());
  });
});

describe('addresses are ASCII', () => {
  test.for(['\u212Aim@bravo.example', 'kim@br\u00E4vo.example'])('an invitation of %s is refused', async (email) => {
    const { owner } = await makeTeam();
    expect(await owner.mutate('team.invite', { email, role: 'SUPPORT' })).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'email' }] },
    });
  });

  test('the Kelvin sign does not sign in as k, and capital letters do not matter', async () => {
    const { invite } = await makeTeam();
    const email = `kim-${newId('usr')}@bravo.example`;
    await choose((await invite('SUPPORT', email)).link, OWN);
    expect(await enterWith(email.replace('kim', '\u212Aim'), OWN)).toBeNull();
    expect(await enterWith(email.toUpperCase(), OWN)).toMatch(/^ses_/);
    expect(
      await issuePassword(new Date(), { email: email.replace('kim', '\u212Aim'), resetSecondFactor: false }),
    ).toBeNull();
  });

  test('a password is the same in every Unicode form', async () => {
    const { invite } = await makeTeam();
    const { link, email } = await invite('SUPPORT');
    const phrase = 'sch\u00F6ne Gr\u00FC\u00DFe an alle';
    await choose(link, phrase.normalize('NFD'));
    expect(await enterWith(email, phrase)).toMatch(/^ses_/);
    expect(await enterWith(email, phrase.normalize('NFD'))).toMatch(/^ses_/);
  });
});

describe('the database', () => {
  const refused = (constraint: string) => expect.stringContaining(constraint);
  const message = (work: Promise<unknown>) => work.then(() => 'accepted', String);

  test('refuses a membership of an unproven account in another tenant, and of a closed account', async () => {
    const [home, away] = [await makeTenant(), await makeTenant()];
    const { userId } = await makePerson(home.id, 'OWNER', 'Olivia', undefined, false);
    expect(await db().user.findUniqueOrThrow({ where: { id: userId } })).toMatchObject({ tenantId: home.id });
    const join = db().membership.create({ data: { tenantId: away.id, userId, role: 'OWNER' } });
    expect(await message(join)).toEqual(refused('cannot be a member of this tenant'));
    const key = { tenantId_userId: { tenantId: home.id, userId } };
    await db().membership.delete({ where: key });
    await db().user.update({ where: { id: userId }, data: { closedAt: new Date(), passwordHash: null } });
    const back = db().membership.create({ data: { tenantId: home.id, userId, role: 'OWNER' } });
    expect(await message(back)).toEqual(refused('cannot be a member of this tenant'));
  });

  test('refuses to prove, move, or reopen an account', async () => {
    const [home, away] = [await makeTenant(), await makeTenant()];
    const { userId } = await makePerson(home.id, 'OWNER', 'Olivia', undefined, false);
    const change = (data: object) => message(db().user.update({ where: { id: userId }, data }));
    const kept = refused('an account keeps its address');
    expect(await change({ tenantId: away.id })).toEqual(kept);
    expect(await change({ tenantId: null, addressProvenAt: new Date() })).toEqual(kept);
    expect(await change({ email: `${newId('usr')}@salon.example` })).toEqual(kept);
    expect(await change({ closedAt: new Date(), passwordHash: null })).toBe('accepted');
    expect(await change({ closedAt: null })).toEqual(kept);
  });
});

describe('one hash per attempt', () => {
  test('all accounts of an address have one salt', async () => {
    const { victim, attack, link, attacker } = await makeCase();
    await attack();
    const third = await makeTeam();
    await choose((await third.invite('OWNER', victim)).link, OWN);
    const { id: userId } = await db().user.findFirstOrThrow({ where: { email: victim, tenantId: attacker.tenant.id } });
    const owner = await enter({ ...attacker.owner, userId });
    const changed = await owner.mutate('session.change_password', {
      current_password: EVIL,
      new_password: `${EVIL} 2`,
    });
    expect(changed.status).toBe(200);
    const saltsOf = async () => {
      const users = await db().user.findMany({ where: { email: victim, passwordHash: { not: null } } });
      return users.map(({ passwordHash }) => passwordHash?.split('$')[4]);
    };
    expect(new Set(await saltsOf()).size).toBe(1);
    expect(await saltsOf()).toHaveLength(2);
    await choose(await link(), OWN);
    expect(await saltsOf()).toHaveLength(3);
    expect(new Set(await saltsOf()).size).toBe(1);
  });
});

test('a business cannot take a name that is or looks like the name of another', async () => {
  const word = newId('ten').slice(-12);
  const owner = await enter(await makePerson((await makeTenant({ name: `First ${word}` })).id));
  const other = await enter(await makePerson((await makeTenant({ name: `Second ${word}` })).id));
  const rename = async (member: typeof owner, from: string, to: string) => {
    const before = { business_name: from, time_zone: 'Europe/Berlin', locales: ['en', 'de'] };
    const { status, error } = await member.mutate('environment.change_business', {
      before,
      ...before,
      business_name: to,
    });
    return [status, error?.fields[0]?.path ?? error?.code ?? null];
  };
  expect(await rename(owner, `First ${word}`, `Bravo Barbers ${word}`)).toEqual([200, null]);
  for (const name of [
    `Bravo Barbers ${word}`,
    `BRAVO  BARBERS ${word}`,
    `Br\u0430v\u043E B\u0430rb\u0435rs ${word}`,
    `Bra\u200Dvo Barbers ${word}`,
  ])
    expect([name, ...(await rename(other, `Second ${word}`, name))]).toEqual([name, 400, 'business_name']);
  expect(await rename(other, `Second ${word}`, `Bravo Barbers ${word} 2`)).toEqual([200, null]);
  // The number of names that an owner can test is limited.
  expect(await rename(other, `Bravo Barbers ${word} 2`, `Third ${word}`)).toEqual([429, 'rate_limited']);
  // The name is free again after its tenant has another one.
  expect(await rename(owner, `Bravo Barbers ${word}`, `First ${word}`)).toEqual([200, null]);
  const headers = { [TENANT_HEADER]: owner.tenantId };
  expect(
    (await callProcedure('environment.get', { origin, cookie: owner.cookie, type: 'query', headers })).data,
  ).toMatchObject({
    tenant_name: `First ${word}`,
  });
});
