import { request } from 'undici';
import { beforeEach, describe, expect, test } from 'vitest';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { offersTo } from '@/lib/access/owners/address-proof';
import { invite } from '@/lib/access/owners/invitations';
import { mailLink, setPasswordWithLink } from '@/lib/access/owners/password-link';
import { openSession, signedInOf } from '@/lib/access/owners/session';
import { unsubscribeUrl } from '@/lib/activity/mail/unsubscribe';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import { makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { linkIn } from '@/tests/support/mail-server';
import { setUpTotp } from '@/tests/support/second-factor';
import { addressTests } from './address-tests';
import { providerTests } from './provider-tests';
import { type Stage, stageOfFile } from './stage';

const NEXT = 'a wholly new password';
const stage = stageOfFile();
let { database, mail, mailTo, server, tenantId } = {} as Stage;

beforeEach(() => {
  ({ database, mail, mailTo, server, tenantId } = stage);
});

describe('the change of an address', () => addressTests(stage));
describe('the provider', () => providerTests(stage));

const tokenOf = (link: string) => new URL(link).pathname.split('/').at(-1) ?? '';

async function post(path: string, body: object) {
  const response = await request(`${server.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify(body),
  });
  return { status: response.statusCode, body: await response.body.text() };
}

test('a mailed link sets a new password once, ends the sessions, and keeps the second factor', async () => {
  const person = await makePerson(tenantId);
  const before = await signInOverHttp(server.origin, person.email, person.password);
  expect(before).not.toBeNull();
  expect(await post('/api/password', { email: person.email.toUpperCase() })).toEqual({
    status: 200,
    body: '{"done":true}',
  });
  // The server sends it. In the other tests, this process does.
  const received = await mail.mailTo(person.email);
  const token = tokenOf(linkIn(received, '/password/'));
  const [stored] = (await database.query(`SELECT string_agg(l::text, ' ') AS text FROM password_links l`)).rows as {
    text: string;
  }[];
  expect(stored?.text).not.toContain(token);
  expect(await post('/api/password', { token, password: 'short' })).toMatchObject({ status: 400 });
  expect(await post('/api/password', { token, password: NEXT })).toMatchObject({ status: 200 });
  expect(await post('/api/password', { token, password: `${NEXT} 2` })).toMatchObject({ status: 404 });
  expect(await signInOverHttp(server.origin, person.email, person.password)).toBeNull();
  expect(await signInOverHttp(server.origin, person.email, NEXT)).not.toBeNull();
  const open = await db().session.count({ where: { userId: person.userId, endedAt: null } });
  expect(open).toBe(1);
  // The change is mailed, too.
  const warning = await mailTo(person.email, 1, 'Your password was changed.');
  expect(warning.text).not.toContain(NEXT);

  const guarded = await makePerson(tenantId);
  await setUpTotp(guarded, new Date());
  await mailLink(new Date(), guarded.email);
  const link = linkIn(await mailTo(guarded.email, 1, '/password/'), '/password/');
  await setPasswordWithLink(new Date(), tokenOf(link), NEXT);
  expect(await db().totpFactor.count({ where: { userId: guarded.userId, confirmedAt: { not: null } } })).toBe(1);
});

test('an unknown address gets the same answer and no mail, and an address gets three links in half an hour', async () => {
  const person = await makePerson(tenantId);
  const known = await post('/api/password', { email: person.email });
  const unknown = await post('/api/password', { email: `${newId('usr')}@salon.example` });
  expect(unknown).toEqual(known);
  expect(await post('/api/password', { email: 'a@b.example\r\nBcc: c@d.example' })).toMatchObject({ status: 400 });
  await mailTo(person.email);
  for (let n = 0; n < 4; n += 1) await mailLink(new Date(), person.email);
  expect(await db().passwordLink.count({ where: { email: person.email } })).toBe(3);
  expect(await db().passwordLink.count()).toBe(await db().mail.count({ where: { kind: 'password_link' } }));
  const later = new Date(Date.now() + 31 * 60_000);
  await mailLink(later, person.email);
  expect(await db().passwordLink.count({ where: { email: person.email } })).toBe(4);
});

test('an attacker who has asked for links all day does not keep the person from getting one', async () => {
  const person = await makePerson(tenantId);
  const now = Date.now();
  for (let request = 0; request < 36; request += 1)
    await mailLink(new Date(now + Math.floor(request / 3) * 31 * 60_000), person.email);
  const mails = { email: person.email, kind: 'password_link' };
  expect(await db().mail.count({ where: mails })).toBe(36);
});

test('a business mails an address five invitations in a day, and another business further ones', async () => {
  const email = `${newId('usr')}@salon.example`;
  const now = new Date();
  const inviteFrom = async (of: string, at = now) => {
    const by = { tenantId: of, actor: { kind: 'system' } as const, userId: null };
    return (await invite(at, { ...by, email, role: 'SUPPORT' })).mailed;
  };
  const mailed = [];
  for (let sent = 0; sent < 7; sent += 1) mailed.push(await inviteFrom(tenantId));
  expect(mailed).toEqual([true, true, true, true, true, false, false]);
  expect(await db().mail.count({ where: { email } })).toBe(5);
  expect(await inviteFrom((await makeTenant()).id)).toBe(true);
  expect(await inviteFrom(tenantId, new Date(now.getTime() + 25 * 3_600_000))).toBe(true);
});

test('a link expires after 30 minutes, and its use ends the other links of the address', async () => {
  const person = await makePerson(tenantId);
  const now = new Date();
  await mailLink(now, person.email);
  const first = tokenOf(linkIn(await mailTo(person.email), '/password/'));
  await mailLink(now, person.email);
  const second = tokenOf(linkIn(await mailTo(person.email, 2), '/password/'));
  const late = new Date(now.getTime() + 30 * 60_000);
  await expect(setPasswordWithLink(late, first, NEXT)).rejects.toMatchObject({ code: 'not_found' });
  const both = await Promise.allSettled([first, second].map((token) => setPasswordWithLink(now, token, NEXT)));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a link proves the address of an account that an owner has set up, unless it has a second factor', async () => {
  const person = await makePerson(tenantId, 'SUPPORT', 'Sam', undefined, false);
  await mailLink(new Date(), person.email);
  const token = tokenOf(linkIn(await mailTo(person.email), '/password/'));
  await setPasswordWithLink(new Date(), token, NEXT);
  const proven = await db().user.findFirstOrThrow({ where: { email: person.email, addressProvenAt: { not: null } } });
  expect(proven.id).not.toBe(person.userId);
  const cookie = await openSession(
    new Date(),
    { userId: proven.id, method: 'password', address: freshAddress() },
    null,
  );
  const signedIn = await signedInOf(cookie ?? '', new Date());
  expect(signedIn && (await offersTo(signedIn))).toMatchObject([{ tenant_id: tenantId }]);

  const guarded = await makePerson(tenantId, 'SUPPORT', 'Sam', undefined, false);
  await setUpTotp(guarded, new Date());
  await mailLink(new Date(), guarded.email);
  expect(await db().passwordLink.count({ where: { email: guarded.email } })).toBe(0);
});

test('the mailed link of an invitation proves the address, and the shown link does not', async () => {
  const owner = await makePerson(tenantId);
  const by = { tenantId, actor: { kind: 'owner', id: owner.userId, tenantId } as const, userId: owner.userId };
  const join = async (which: 'shown' | 'mailed') => {
    const email = `${newId('usr')}@salon.example`;
    const made = await invite(new Date(), { ...by, email, role: 'SUPPORT' });
    expect(made.mailed).toBe(true);
    const mailed = linkIn(await mailTo(email), '/invite/');
    expect(mailed).not.toBe(made.link);
    const token = tokenOf(which === 'shown' ? made.link : mailed);
    await acceptInvitation(new Date(), { token, person: null, name: 'Nadia New', password: NEXT });
    await expect(
      acceptInvitation(new Date(), { token: tokenOf(mailed), person: null, name: 'Nadia New', password: NEXT }),
    ).rejects.toMatchObject({ code: 'not_found' });
    return db().user.findFirstOrThrow({ where: { email } });
  };
  expect((await join('shown')).addressProvenAt).toBeNull();
  expect((await join('mailed')).addressProvenAt).not.toBeNull();
});

test('a sign-in from a new network is mailed once, and the first one is not', async () => {
  const person = await makePerson(tenantId);
  const [home, cafe] = ['192.0.2.7', '198.51.100.9'];
  const enter = (address: string) =>
    openSession(new Date(), { userId: person.userId, method: 'password', address }, null);
  for (const address of [home, home, cafe, cafe, home]) await enter(address);
  const mails = await db().mail.findMany({ where: { email: person.email } });
  expect(mails.map(({ kind }) => kind)).toEqual(['new_sign_in']);
  expect((await mailTo(person.email)).text).toContain('198.51.100.9');
});

test('a new second factor is mailed', async () => {
  const person = await makePerson(tenantId);
  await setUpTotp(person, new Date());
  expect((await mailTo(person.email)).text).toContain('A second factor was added.');
});

test('a POST to the URL of List-Unsubscribe refuses the kind, and a GET changes nothing', async () => {
  const person = await makePerson(tenantId);
  const unwanted = async () => (await db().user.findUniqueOrThrow({ where: { id: person.userId } })).unwantedMails;
  const url = unsubscribeUrl({ userId: person.userId, kind: 'key_expiry' }).replace(/^http:\/\/[^/]+/, server.origin);
  const page = await request(url);
  expect([page.statusCode, page.headers.location]).toEqual([303, expect.stringContaining('/unsubscribe/usr_')]);
  await page.body.dump();
  expect(await unwanted()).toEqual(['daily_summary']);
  // As a mail program sends it: a form, no cookie, no headers of a page.
  const send = (to: string) =>
    request(to, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  for (const to of [url, url]) {
    const answer = await send(to);
    expect(answer.statusCode).toBe(200);
    await answer.body.dump();
  }
  expect(await unwanted()).toEqual(['daily_summary', 'key_expiry']);
  const forged = await send(url.replace('key_expiry', 'overlaps'));
  expect(forged.statusCode).toBe(404);
  await forged.body.dump();
});
