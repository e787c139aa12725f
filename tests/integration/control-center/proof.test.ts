import { Agent, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { issuePassword } from '@/lib/access/owners/password';
import { memberOf } from '@/lib/access/owners/session';
import { signIn, signInVerified } from '@/lib/access/owners/sign-in';
import { inviteOwner } from '@/lib/operations/tenants/add';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { setUpTotp } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { enter, makeTeam } from './team-people';

const { origin } = sharedServer();
const ISSUER = 'https://id.example';
const EVIL = 'the attacker chose this phrase';
const OWN = 'the victim chose this phrase';

/** Accepts an invitation over HTTP. Returns the status and the code of the error. */
async function accept(link: string, body: object, cookie?: string | null) {
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}/api/invite`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-partner-booking': 'control-center',
      ...(cookie ? { cookie } : {}),
    },
    body: JSON.stringify({ token: link.split('/invite/')[1], ...body }),
  });
  const { error } = (await answer.body.json()) as { error?: { code: string } };
  await dispatcher.close();
  return { status: answer.statusCode, code: error?.code ?? null };
}

const choose = (link: string, password: string) => accept(link, { name: 'Victoria Victim', password });

/** Signs in with a password. Returns the id of the session or the second step, or null. */
async function enterWith(email: string, password: string, tenantId = ''): Promise<string | null> {
  const result = await signIn({ email, password, address: freshAddress(), ticket: '', tenantId }, new Date());
  return result && 'sessionId' in result ? result.sessionId : null;
}

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
    const { victim, attack, link, attackerOpens, victimOpens } = await makeCase();
    const genuine = await link();
    await attack();
    expect(await attackerOpens()).toEqual(['alpha']);
    expect(await choose(genuine, OWN)).toEqual({ status: 200, code: null });
    expect(await attackerOpens()).toEqual([]);
    expect(await victimOpens()).toEqual(['alpha', 'charlie']);
    expect(await db().user.count({ where: { email: victim, closedAt: null } })).toBe(1);
  });

  test('attacker first; the victim signs in through the provider and joins with one click', async () => {
    const { attacker, victim, genuine, attack, link, provider, attackerOpens } = await makeCase();
    const invitation = await link();
    await attack();
    const [stolen, older] = [await enterWith(victim, EVIL), await signInOverHttp(origin, victim, EVIL)];
    const result = await provider();
    const sessionId = typeof result === 'object' ? result.sessionId : '';
    expect(sessionId).toMatch(/^ses_/);
    expect(await attackerOpens()).toEqual([]);
    expect(await memberOf(stolen ?? '', new Date(), attacker.tenant.id)).toBeNull();
    const me = await callProcedure('session.me', { origin, cookie: older, type: 'query' });
    expect(me.status).toBe(401);
    const user = await db().user.findFirstOrThrow({ where: { email: victim, closedAt: null } });
    expect(user).toMatchObject({ passwordHash: null, addressProvenAt: expect.any(Date), tenantId: null });
    const cookie = await openSessionOf({ userId: user.id });
    expect(await accept(invitation, { signed_in: true }, cookie)).toEqual({ status: 200, code: null });
    expect(await db().membership.count({ where: { tenantId: genuine.id, userId: user.id } })).toBe(1);
    expect(await attackerOpens()).toEqual([]);
  });

  test('victim first; the attacker gets a separate account, which a proof closes', async () => {
    const { victim, attack, link, provider, attackerOpens, victimOpens } = await makeCase();
    expect((await choose(await link(), OWN)).status).toBe(200);
    await attack();
    expect([await attackerOpens(), await victimOpens()]).toEqual([['alpha'], ['charlie']]);
    expect(await provider()).toHaveProperty('sessionId');
    expect([await attackerOpens(), await victimOpens()]).toEqual([[], ['alpha', 'charlie']]);
    expect(await db().user.count({ where: { email: victim, closedAt: null } })).toBe(1);
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

  test('npm run password proves the address, and revokes second factors and second steps', async () => {
    const { attacker, victim, attack, attackerOpens, victimOpens } = await makeCase();
    await attack();
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim } });
    const person = { userId: id, tenantId: attacker.tenant.id, email: victim, password: EVIL, name: 'Victoria Victim' };
    await setUpTotp(person, new Date());
    expect(await enterWith(victim, EVIL)).toMatch(/^sst_/);
    const password =
      (await issuePassword(new Date(), { email: ` ${victim.toUpperCase()} `, resetSecondFactor: false })) ?? '';
    expect(await attackerOpens()).toEqual([]);
    expect(await victimOpens(password)).toEqual(['alpha']);
    expect(await db().totpFactor.count({ where: { user: { email: victim } } })).toBe(0);
    expect(await db().recoveryCode.count({ where: { user: { email: victim } } })).toBe(0);
    expect(await db().secondStep.count({ where: { userId: id } })).toBe(0);
    const entries = await db().auditLog.findMany({
      where: { tenantId: attacker.tenant.id, action: { in: ['member.account_replaced', 'user.password_issued'] } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, before }) => [action, before])).toEqual([
      ['member.account_replaced', { user_id: id }],
      ['user.password_issued', null],
    ]);
  });

  test('an account of another tenant cannot join with one click', async () => {
    const { victim, attack, link, attackerOpens } = await makeCase();
    await attack();
    const cookie = await signInOverHttp(origin, victim, EVIL);
    const invitation = await link();
    expect(await accept(invitation, { signed_in: true }, cookie)).toEqual({ status: 403, code: 'forbidden' });
    expect(await attackerOpens()).toEqual(['alpha']);
  });

  test('the operator’s link recovers a proven account: other sessions end, second factors remain', async () => {
    const { genuine, victim, link } = await makeCase();
    await choose(await link(), OWN);
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim } });
    const person = { userId: id, tenantId: genuine.id, email: victim, password: OWN, name: 'Victoria Victim' };
    const before = await signInOverHttp(origin, victim, OWN);
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
      const answer = await request(`${origin}/invite/${token}`);
      const text = await answer.body.text();
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

  test('a wrong password of the real user is not shown to a tenant that has added the address', async () => {
    const { attacker, victim, attack, link } = await makeCase();
    await choose(await link(), OWN);
    await attack();
    const { id } = await db().user.findFirstOrThrow({ where: { email: victim, tenantId: null } });
    expect(await enterWith(victim, 'a mistyped phrase of the victim')).toBeNull();
    await until(
      () => db().signIn.count({ where: { userId: id, outcome: 'wrong_password' } }),
      (count) => count === 1,
    );
    const seen = { tenantId: attacker.tenant.id, outcome: 'wrong_password' };
    expect(await db().signIn.count({ where: seen })).toBe(0);
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
    const owner = await enter({ ...attacker.owner, email: victim, password: EVIL });
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
    expect(await saltsOf()).toHaveLength(1);
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
