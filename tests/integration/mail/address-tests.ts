import { beforeEach, expect, test } from 'vitest';
import { acceptInvitation, joinSignedIn } from '@/lib/access/owners/accept';
import { changeAddressWithLink, requestAddressChange } from '@/lib/access/owners/address-change';
import { offersTo } from '@/lib/access/owners/address-proof';
import { invite, revokeInvitation } from '@/lib/access/owners/invitations';
import { endOwnOtherSessions } from '@/lib/access/owners/own-sessions';
import { changePassword, issuePassword } from '@/lib/access/owners/password';
import { mailLink } from '@/lib/access/owners/password-link';
import { endSecondStep, type Member, memberOf, openSession } from '@/lib/access/owners/session';
import { signInVerified } from '@/lib/access/owners/sign-in';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import {
  callProcedure,
  makePerson,
  openPage,
  openSessionOf,
  type Person,
  postAsPage,
  signInOverHttp,
} from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { linkIn } from '@/tests/support/mail-server';
import { setUpTotp, totpCode } from '@/tests/support/second-factor';
import type { Stage } from './stage';

const NEXT = 'a wholly new password';
let { database, mailTo, server, tenantId } = {} as Stage;

const freshEmail = () => `${newId('usr')}@new.example`;
const tokenOf = (link: string) => new URL(link).pathname.split('/').at(-1) ?? '';
const saltOf = (hash: string | null) => hash?.split('$')[4];
const rowOf = ({ userId }: Pick<Person, 'userId'>) => db().user.findUniqueOrThrow({ where: { id: userId } });

/** Returns the token of the newest link that an address got. */
async function linkTo(email: string, count = 1): Promise<string> {
  return tokenOf(linkIn(await mailTo(email, count, '/email/'), '/email/'));
}

async function memberFor({ userId, tenantId: tenant }: Person): Promise<Member> {
  const opening = { userId, method: 'password', address: freshAddress() } as const;
  const opened = (await openSession(new Date(), opening, null)) ?? '';
  const session = opened.startsWith('sst_') ? await endSecondStep(new Date(), opened, opening) : opened;
  const access = await memberOf(session ?? '', new Date(), tenant);
  if (access === null || access === 'outsider') throw new Error('no member');
  return access;
}

async function ask(person: Person, email: string, now = new Date(), member?: Member): Promise<void> {
  const proof = { password: person.password, factor: null };
  const asked = member ?? (await memberFor(person));
  await requestAddressChange(now, { member: asked, address: freshAddress(), email, proof });
}

function use(token: string, { password }: Pick<Person, 'password'>, now = new Date()): Promise<void> {
  return changeAddressWithLink(now, { token, password, address: freshAddress(), person: null });
}

const post = (body: object, cookie?: string) => postAsPage(server.origin, '/api/email', body, { cookie });

const gone = { code: 'not_found' };

/** The tests of one stage, which `account.test.ts` shares. */
export function addressTests(stage: Stage): void {
  beforeEach(() => {
    ({ database, mailTo, server, tenantId } = stage);
  });

  test('a link to the new address changes it once, ends the other sessions, and warns the former address', async () => {
    const person = await makePerson(tenantId);
    const second = (await makeTenant()).id;
    await db().membership.create({ data: { tenantId: second, userId: person.userId, role: 'SUPPORT' } });
    const identity = { issuer: 'https://id.example', subject: person.userId };
    await db().userIdentity.create({ data: { ...identity, userId: person.userId, createdAt: new Date() } });
    // An account that nobody has proven, of another business, does not matter.
    const other = await makePerson((await makeTenant()).id, 'SUPPORT', 'Sam', undefined, false);
    const email = other.email;
    const [here, elsewhere] = [await openSessionOf(person), await openSessionOf(person)];
    await mailLink(new Date(), person.email);
    const call = (input: object) =>
      callProcedure('session.change_email', { origin: server.origin, cookie: here, type: 'mutation', input });
    for (const [input, path] of [
      [{ email, password: 'not my password' }, 'password'],
      [{ email }, 'password'],
      [{ email: person.email, password: person.password }, 'email'],
      [{ email: '"a"@b.example', password: person.password }, 'email'],
      [{ email: 'a@b.example\r\nBcc: c@d.example', password: person.password }, 'email'],
      [{ email: `${person.password}@b.example`, password: person.password }, 'password'],
    ] as const)
      expect(await call(input)).toMatchObject({ status: 400, error: { fields: [{ path }] } });
    expect(await call({ email: email.toUpperCase(), password: person.password })).toMatchObject({
      status: 200,
      data: { requested: true },
    });
    const token = await linkTo(email);
    const { rows } = await database.query(`SELECT string_agg(l::text, ' ') AS text FROM address_links l`);
    expect(rows[0]?.text).not.toContain(token);

    expect(await openPage(server.origin, `/email/${token}`)).toContain(email);
    expect(await post({ token, password: 'not my password' })).toMatchObject({ status: 400 });
    expect((await rowOf(person)).email).toBe(person.email);
    expect(await post({ token, password: person.password }, here)).toEqual({ status: 200, body: { done: true } });
    expect(await post({ token, password: person.password })).toMatchObject({ status: 404 });

    expect(await rowOf(person)).toMatchObject({ email, closedAt: null });
    expect(saltOf((await rowOf(person)).passwordHash)).toBe(saltOf((await rowOf(other)).passwordHash));
    expect(await rowOf(other)).toMatchObject({ email, closedAt: null, addressProvenAt: null });
    const me = (cookie: string) => callProcedure('session.me', { origin: server.origin, cookie, type: 'query' });
    expect(await me(here)).toMatchObject({ status: 200, data: { email } });
    expect(await me(elsewhere)).toMatchObject({ status: 401 });
    expect(await signInOverHttp(server.origin, person.email, person.password)).toBeNull();
    expect(await signInOverHttp(server.origin, email, person.password)).not.toBeNull();
    expect(await db().passwordLink.count({ where: { email: person.email, usedAt: null } })).toBe(0);

    const warning = await mailTo(person.email, 1, 'was changed');
    expect(warning.text).toContain('The email address of your account was changed.');
    expect(warning.text).not.toContain(email);
    expect(await db().mail.count({ where: { email, kind: 'account_changed' } })).toBe(0);
    const entries = await db().auditLog.findMany({ where: { action: 'user.email_changed', objectId: person.userId } });
    expect(entries.map(({ tenantId: of, actorId, before, after }) => ({ of, actorId, before, after }))).toEqual(
      expect.arrayContaining(
        [tenantId, second].map((of) => ({
          of,
          actorId: person.userId,
          before: { email: person.email },
          after: { email },
        })),
      ),
    );
    expect(entries).toHaveLength(2);

    // The user of the provider stays bound, with the former address too. Another user with this address is unknown.
    const enter = (subject: string) =>
      signInVerified(new Date(), { ...identity, subject, email: person.email }, freshAddress());
    expect(await enter(identity.subject)).toMatchObject({ sessionId: expect.stringMatching(/^ses_/) });
    expect(await enter('somebody else')).toBe('unknown');
    const member = await memberFor(person);
    expect(await offersTo(member)).toMatchObject([{ tenant_id: other.tenantId }]);
  });

  test('the answers are the same for every address, and an address in use gets a link that does not work', async () => {
    const [person, another] = [await makePerson(tenantId, 'SUPPORT'), await makePerson(tenantId, 'SUPPORT')];
    const by = { tenantId, actor: { kind: 'system' } as const, userId: null, role: 'SUPPORT' } as const;
    const invited = freshEmail();
    const { id } = await invite(new Date(), { ...by, email: invited });
    const taken = [
      (await makePerson((await makeTenant()).id)).email,
      (await makePerson(tenantId, 'SUPPORT', 'Sam', undefined, false)).email,
      invited,
    ];
    const replies = [];
    for (const [who, email] of [[another, freshEmail()] as const, ...taken.map((email) => [person, email] as const)]) {
      const call = { origin: server.origin, cookie: await openSessionOf(who), type: 'mutation' } as const;
      const input = { email, password: who.password };
      const { status, data } = await callProcedure('session.change_email', { ...call, input });
      replies.push({ status, data });
    }
    expect(replies).toEqual(replies.map(() => ({ status: 200, data: { requested: true } })));
    const used = [];
    for (const email of taken) used.push(await post({ token: await linkTo(email), password: person.password }));
    const unknown = await post({ token: 'A'.repeat(43), password: person.password });
    expect(unknown.status).toBe(404);
    expect(used).toEqual(used.map(() => unknown));
    expect((await rowOf(person)).email).toBe(person.email);
    await revokeInvitation(new Date(), { ...by, id });
    expect(await post({ token: await linkTo(invited), password: person.password })).toMatchObject({ status: 200 });
    expect((await rowOf(person)).email).toBe(invited);
  });

  test('an account and an address get three links in half an hour', async () => {
    const [person, ...others] = [await makePerson(tenantId), await makePerson(tenantId), await makePerson(tenantId)];
    const member = await memberFor(person);
    const now = new Date();
    const email = freshEmail();
    for (let n = 0; n < 3; n += 1) await ask(person, email, now, member);
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
    await expect(ask(person, freshEmail(), later(10), member)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: 1_200,
    });
    for (const other of others) await ask(other, email, now);
    const count = () => db().addressLink.count({ where: { email } });
    expect([await count(), await db().mail.count({ where: { email } })]).toEqual([3, 3]);
    await ask(person, email, later(31), member);
    expect(await count()).toBe(4);
  });

  test('a link expires, and ends with another change of the account, and concurrent links change one address', async () => {
    const person = await makePerson(tenantId);
    const member = await memberFor(person);
    const now = new Date();
    const email = freshEmail();
    const changes: (() => Promise<unknown>)[] = [
      () => endOwnOtherSessions(new Date(), member),
      () =>
        changePassword(new Date(), { person: member, address: freshAddress(), current: person.password, next: NEXT }),
      () => issuePassword(new Date(), { email: person.email, resetSecondFactor: false }),
    ];
    await ask(person, email, now, member);
    const first = await linkTo(email);
    await expect(use(first, person, new Date(now.getTime() + 30 * 60_000))).rejects.toMatchObject(gone);
    for (const [index, change] of changes.entries()) {
      await db().addressLink.updateMany({ data: { endedAt: null }, where: { email } });
      await change();
      await expect(use(first, { password: index === 0 ? person.password : NEXT })).rejects.toMatchObject(gone);
    }

    // An issued password serves only to set a new one.
    const issued = await issuePassword(new Date(), { email: person.email, resetSecondFactor: false });
    await db().addressLink.updateMany({ data: { endedAt: null }, where: { email } });
    await expect(use(first, { password: issued ?? '' })).rejects.toMatchObject(gone);
    expect((await rowOf(person)).email).toBe(person.email);

    // Two links of one account, and two accounts with one address.
    const [one, two] = [await makePerson(tenantId), await makePerson((await makeTenant()).id)];
    const [x, y] = [freshEmail(), freshEmail()];
    await ask(one, x);
    await ask(one, y);
    // Two mails to one address can arrive in either order.
    const ofOne = [await linkTo(x), await linkTo(y)] as const;
    await ask(two, x);
    const tokens = [...ofOne, await linkTo(x, 2)] as const;
    const outcomes = await Promise.allSettled([
      use(tokens[0], one),
      use(tokens[0], one),
      use(tokens[1], one),
      use(tokens[2], two),
    ]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
    const emails = [(await rowOf(one)).email, (await rowOf(two)).email];
    // `one` got either address. `two` got the other one only if it was the first.
    expect(new Set(emails).size).toBe(2);
    expect([x, y]).toContain(emails[0]);
    expect(failures).toEqual(Array(emails[1] === x ? 2 : 3).fill('not_found'));
  });

  test('the second factor is asked for and stays, and a former address can join again only as another person', async () => {
    const person = await makePerson(tenantId);
    const now = new Date();
    const { secret } = await setUpTotp(person, new Date(now.getTime() - 60_000));
    const member = await memberFor(person);
    const email = freshEmail();
    await expect(ask(person, email, new Date(), member)).rejects.toMatchObject({ fields: [{ path: 'code' }] });
    const proof = { password: person.password, factor: { code: totpCode(secret, now) } };
    await requestAddressChange(now, { member, address: freshAddress(), email, proof });
    const inviting = (await makeTenant()).id;
    const by = { tenantId: inviting, actor: { kind: 'system' } as const, userId: null, role: 'SUPPORT' } as const;
    const { link } = await invite(new Date(), { ...by, email: person.email });
    await use(await linkTo(email), person);
    expect(await db().totpFactor.count({ where: { userId: person.userId, confirmedAt: { not: null } } })).toBe(1);
    const opening = { userId: person.userId, method: 'password', address: freshAddress() } as const;
    expect(await openSession(now, opening, null)).toMatch(/^sst_/);

    const moved = await memberFor(person);
    expect(moved.email).toBe(email);
    const token = tokenOf(link);
    await expect(joinSignedIn(new Date(), { token, person: moved })).rejects.toMatchObject(gone);
    await acceptInvitation(new Date(), { token, person: null, name: 'Nadia New', password: NEXT });
    const joined = await db().user.findFirstOrThrow({ where: { email: person.email, closedAt: null } });
    expect(joined.id).not.toBe(person.userId);
  });

  test('an account without a proof or a password cannot change its address, and SQL cannot without a link', async () => {
    const unproven = await makePerson(tenantId, 'SUPPORT', 'Sam', undefined, false);
    const bare = await makePerson(tenantId, 'SUPPORT');
    const member = await memberFor(bare);
    const { passwordHash } = await rowOf(bare);
    const email = freshEmail();
    await db().user.update({ where: { id: bare.userId }, data: { passwordHash: null } });
    await expect(ask(unproven, email)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(ask(bare, email, new Date(), member)).rejects.toMatchObject({ code: 'forbidden' });
    expect(await db().mail.count({ where: { email } })).toBe(0);

    const person = await makePerson(tenantId);
    await ask(person, email);
    const now = new Date();
    const change = (data: object) =>
      db()
        .user.update({ where: { id: person.userId }, data })
        .then(() => 'accepted', String);
    const complete = { email, passwordHash, addressProvenAt: now };
    const kept = expect.stringContaining('an account keeps its address');
    expect(await change(complete)).toEqual(kept);
    await db().addressLink.updateMany({ where: { email }, data: { endedAt: now } });
    for (const less of [
      { email },
      { ...complete, passwordHash: undefined },
      { ...complete, addressProvenAt: new Date(now.getTime() + 1) },
      { ...complete, email: freshEmail() },
      { addressProvenAt: now },
    ])
      expect(await change(less)).toEqual(kept);
    expect(await change(complete)).toBe('accepted');
  });
}
