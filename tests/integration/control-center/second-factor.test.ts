import { expect, test } from 'vitest';
import { isChallengeFor } from '@/lib/access/owners/passkey-origin';
import { changePassword } from '@/lib/access/owners/password';
import { confirmSession } from '@/lib/access/owners/proof';
import { newRecoveryCodes } from '@/lib/access/owners/recovery-codes';
import { completeSignIn } from '@/lib/access/owners/second-step';
import { memberOf } from '@/lib/access/owners/session';
import { signIn, signInVerified } from '@/lib/access/owners/sign-in';
import { confirmTotp, removeTotp, startTotp } from '@/lib/access/owners/totp';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, cookieOf, makePerson, sessionIdOf, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { completeOverHttp, setUpTotp, totpCode } from '@/tests/support/second-factor';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { enter } from './team-people';

const { origin, databaseUrl } = sharedServer();
const NOW = new Date();
const RETENTION = { request_log_days: 7, contact_days: 30, delivery_days: 14, history_days: 365 };
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** Creates a person who uses an authenticator app. */
async function makeProtected(proven = true) {
  const person = await makePerson((await makeTenant()).id, 'OWNER', 'Olivia Owner', undefined, proven);
  const { secret, codes } = await setUpTotp(person, NOW);
  /**
   * Enters the password at the time `at`. Returns the id in the sign-in cookie, or an empty string if the sign-in
   * was refused.
   */
  const enterPassword = async (at: Date, address = freshAddress()) => {
    const result = await signIn({ ...person, address, ticket: '' }, at);
    return result && 'sessionId' in result ? result.sessionId : '';
  };
  const complete = (stepId: string, code: string, at: Date, address = freshAddress()) =>
    completeSignIn(at, { stepId, code, address });
  return { ...person, person, secret, codes, code: (at: Date) => totpCode(secret, at), enterPassword, complete };
}

test('over HTTP, the password alone opens nothing, and the code completes the sign-in', async () => {
  const person = await makePerson((await makeTenant()).id, 'SUPPORT');
  const { mutate, query } = await enter(person);
  expect((await query('second_factor.get')).data).toMatchObject({ totp_since: null, recovery_codes: 0 });
  const wrong = await mutate('second_factor.start_totp', { password: 'not the password' });
  expect(wrong).toMatchObject({ status: 400, error: { fields: [{ path: 'password' }] } });
  const { secret, uri } = (await mutate('second_factor.start_totp', { password: person.password })).data as {
    secret: string;
    uri: string;
  };
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  // Until `confirm_totp` succeeds, the password alone is enough to sign in.
  const other = await signInOverHttp(origin, person.email, person.password);
  expect((await callProcedure('session.me', { origin, cookie: other, type: 'query' })).status).toBe(200);
  expect((await mutate('second_factor.confirm_totp', { code: '000000' })).status).toBe(400);
  const confirmed = await mutate('second_factor.confirm_totp', { code: totpCode(secret, new Date()) });
  const { recovery_codes: codes } = confirmed.data as { recovery_codes: string[] };
  expect(codes).toHaveLength(10);
  expect(codes.join()).toMatch(/^(([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6},?){10}$/);
  expect((await query('second_factor.get')).data).toMatchObject({ recovery_codes: 10 });
  // The successful `confirm_totp` has ended the session `other`.
  expect((await callProcedure('session.me', { origin, cookie: other, type: 'query' })).status).toBe(401);

  const step = await signInOverHttp(origin, person.email, person.password);
  expect((await callProcedure('session.me', { origin, cookie: step, type: 'query' })).status).toBe(401);
  expect(await completeOverHttp(origin, step, '000000')).toBeNull();
  expect(await completeOverHttp(origin, null, codes[0] ?? '')).toBeNull();
  const session = await completeOverHttp(origin, step, codes[0] ?? '');
  expect((await callProcedure('session.me', { origin, cookie: session, type: 'query' })).status).toBe(200);
  expect(await completeOverHttp(origin, step, codes[1] ?? '')).toBeNull();
});

test('a code does not confirm a secret that was started after the code was checked', async () => {
  const person = await makePerson((await makeTenant()).id);
  const address = freshAddress();
  const signedIn = await signIn({ ...person, address, ticket: '' }, NOW);
  const member = signedIn && 'sessionId' in signedIn ? await memberOf(signedIn.sessionId, NOW, person.tenantId) : null;
  if (member === null || member === 'outsider') throw new Error('the person cannot sign in');
  const { secret } = await startTotp(NOW, member);
  const held = await holdLock(databaseUrl, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [person.userId]);
  const confirming = confirmTotp(NOW, { member, address, code: totpCode(secret, NOW) });
  const refused = expect(confirming).rejects.toMatchObject({ code: 'not_found' });
  await held.untilWaiting();
  const other = 'UPDATE totp_factors SET secret = set_byte(secret, 0, 255 - get_byte(secret, 0)) WHERE user_id = $1';
  await held.query(other, [person.userId]);
  await held.query('COMMIT');
  await refused;
  await held.release();
  expect(await db().totpFactor.findUnique({ where: { userId: person.userId } })).toMatchObject({ confirmedAt: null });
});

test('a code of the app is accepted once, also of concurrent sign-ins, and no earlier code after it', async () => {
  const { enterPassword, complete, code, userId } = await makeProtected();
  const steps = [await enterPassword(after(60)), await enterPassword(after(60))];
  const results = await Promise.all(steps.map((step) => complete(step, code(after(60)), after(60))));
  expect(results.filter((result) => typeof result === 'object')).toHaveLength(1);
  expect(results).toContain('wrong');
  const rest = await enterPassword(after(60));
  expect(await complete(rest, code(after(30)), after(60))).toBe('wrong');
  expect(await complete(rest, code(after(120)), after(60))).toBe('wrong');
  const result = await complete(rest, code(after(90)), after(60));
  expect(result).toHaveProperty('sessionId');
  const outcomes = await until(
    () => db().signIn.findMany({ where: { userId, method: 'totp' }, select: { outcome: true, attempts: true } }),
    (rows) => rows.reduce((sum, { attempts }) => sum + attempts, 0) === 5,
  );
  expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['signed_in', 'wrong_second_factor']));
});

test('a recovery code works once, in upper case and without hyphens', async () => {
  const { enterPassword, complete, codes, userId } = await makeProtected();
  const [first = ''] = codes;
  const step = await enterPassword(NOW);
  expect(await complete(step, first.toUpperCase().replaceAll('-', ' '), NOW)).toHaveProperty('sessionId');
  expect(await complete(await enterPassword(NOW), first, NOW)).toBe('wrong');
  expect(await db().recoveryCode.count({ where: { userId, usedAt: null } })).toBe(9);
});

test('a second step ends after ten minutes, after its use, and with a new password', async () => {
  const { person, enterPassword, complete, codes, password } = await makeProtected();
  const [one = '', two = '', three = ''] = codes;
  const late = await enterPassword(NOW);
  expect(await complete(late, one, after(600))).toBe('expired');
  expect(await memberOf(late, NOW, person.tenantId)).toBeNull();
  const done = await complete(late, one, after(599));
  const member = typeof done === 'object' ? await memberOf(done.sessionId, after(599), person.tenantId) : null;
  expect(member).toMatchObject({ userId: person.userId });
  expect(await complete(late, two, after(599))).toBe('expired');
  const waiting = await enterPassword(NOW);
  if (member !== null && member !== 'outsider')
    await changePassword(NOW, {
      person: member,
      address: freshAddress(),
      current: password,
      next: 'a wholly new password',
    });
  expect(await complete(waiting, three, NOW)).toBe('expired');
});

test('wrong codes are limited per address and per account, but not at an address of the member', async () => {
  const { person, enterPassword, complete, codes } = await makeProtected();
  const [home, guesser] = [freshAddress(), freshAddress()];
  expect(await complete(await enterPassword(NOW, home), codes[0] ?? '', NOW, home)).toHaveProperty('sessionId');
  const step = await enterPassword(NOW);
  for (let guess = 0; guess < 6; guess += 1) expect(await complete(step, '123456', NOW, guesser)).toBe('wrong');
  await expect(complete(step, '123456', NOW, guesser)).rejects.toMatchObject({ code: 'rate_limited' });
  for (let guess = 0; guess < 4; guess += 1) expect(await complete(step, '123456', NOW)).toBe('wrong');
  await expect(complete(step, codes[1] ?? '', NOW)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await complete(step, codes[1] ?? '', NOW, home)).toHaveProperty('sessionId');
  expect(person.userId).toBeTruthy();
});

test('the provider does not replace the second factor', async () => {
  const { email } = await makeProtected();
  const user = { issuer: 'https://id.example', subject: email, email };
  expect(await signInVerified(NOW, user, freshAddress())).toEqual({ sessionId: expect.stringMatching(/^sst_/) });
});

test('secrets are encrypted, codes are hashed, and neither is in the audit log', async () => {
  const { userId, tenantId, secret, codes } = await makeProtected();
  const factor = await db().totpFactor.findUniqueOrThrow({ where: { userId } });
  expect(Buffer.from(factor.secret).toString('latin1')).not.toContain(secret);
  const entries = await db().auditLog.findMany({ where: { tenantId } });
  expect(entries).toMatchObject([{ action: 'user.second_factor_added', after: { method: 'totp' } }]);
  for (const value of [secret, ...codes]) expect(JSON.stringify(entries)).not.toContain(value);
});

/** Signs in with a recovery code. Returns the cookie, and a function that calls mutations. */
async function enterWithCode(
  { enterPassword, complete }: Pick<Awaited<ReturnType<typeof makeProtected>>, 'enterPassword' | 'complete'>,
  code: string,
) {
  const now = new Date();
  const done = await complete(await enterPassword(now), code, now);
  const cookie = await cookieOf(typeof done === 'object' ? done.sessionId : '');
  const mutate = (path: string, input: object) => callProcedure(path, { origin, cookie, type: 'mutation', input });
  return { cookie, mutate };
}

test('removals, new codes, and further factors need the password and the present factor', async () => {
  const made = await makeProtected();
  const { codes, code, userId, tenantId, password } = made;
  const { mutate } = await enterWithCode(made, codes[0] ?? '');
  const missing = { status: 400, error: { fields: [{ path: 'code', message: 'is required' }] } };
  const wrong = { status: 400, error: { fields: [{ path: 'code', message: 'is not correct, or was used before' }] } };
  for (const path of ['remove_totp', 'new_codes', 'start_passkey', 'start_totp']) {
    expect(await mutate(`second_factor.${path}`, { password }), path).toMatchObject(missing);
    expect(await mutate(`second_factor.${path}`, { password, code: codes[0] }), path).toMatchObject(wrong);
    const withoutPassword = await mutate(`second_factor.${path}`, { password: 'wrong', code: codes[1] });
    expect(withoutPassword, path).toMatchObject({ status: 400, error: { fields: [{ path: 'password' }] } });
  }
  const passkey = { password, passkey_id: newId('psk') };
  expect(await mutate('second_factor.remove_passkey', passkey)).toMatchObject(missing);
  expect(await db().recoveryCode.count({ where: { userId, usedAt: null } })).toBe(9);
  expect(await db().totpFactor.count({ where: { userId } })).toBe(1);

  // A recovery code and a code of the app are both accepted, each once.
  const challenge = await mutate('second_factor.start_passkey', { password, code: codes[1] });
  expect(challenge).toMatchObject({ status: 200, data: { challenge: expect.any(String) } });
  const now = new Date(Date.now() + 30_000);
  const renewed = await mutate('second_factor.new_codes', { password, code: code(now) });
  const [first = ''] = (renewed.data as { recovery_codes: string[] }).recovery_codes;
  expect(await mutate('second_factor.remove_totp', { password, code: codes[2] })).toMatchObject(wrong);
  expect((await mutate('second_factor.remove_totp', { password, code: first })).status).toBe(200);
  expect(await db().recoveryCode.count({ where: { userId } })).toBe(0);
  const actions = await db().auditLog.findMany({ where: { tenantId }, orderBy: { id: 'asc' } });
  expect(actions.map(({ action }) => action)).toEqual([
    'user.second_factor_added',
    'user.recovery_codes_issued',
    'user.second_factor_removed',
  ]);
});

test('a removal and new codes end the other sessions and unfinished sign-ins, but not the current session', async () => {
  for (const path of ['second_factor.new_codes', 'second_factor.remove_totp', 'second_factor.remove_passkey']) {
    const made = await makeProtected();
    const { codes, password, userId, enterPassword, complete } = made;
    const passkey = { id: newId('psk'), userId, name: 'Key', counter: 0, transports: [], createdAt: NOW };
    const bytes = { credentialId: new Uint8Array(Buffer.from(passkey.id)), publicKey: new Uint8Array([1]) };
    await db().passkey.create({ data: { ...passkey, ...bytes } });
    const [here, there] = [await enterWithCode(made, codes[0] ?? ''), await enterWithCode(made, codes[1] ?? '')];
    const waiting = await enterPassword(new Date());
    const me = ({ cookie }: { cookie: string | null }) =>
      callProcedure('session.me', { origin, cookie, type: 'query' });
    expect([(await me(here)).status, (await me(there)).status]).toEqual([200, 200]);
    const more = path.endsWith('passkey') ? { passkey_id: passkey.id } : {};
    expect((await here.mutate(path, { password, code: codes[2], ...more })).status, path).toBe(200);
    expect([(await me(here)).status, (await me(there)).status], path).toEqual([200, 401]);
    expect(await complete(waiting, codes[3] ?? '', new Date()), path).toBe('expired');
  }
});

test('a change that was confirmed before another change has ended the session does not follow it', async () => {
  const made = await makeProtected();
  const { person, codes } = made;
  const { cookie } = await enterWithCode(made, codes[0] ?? '');
  const member = await memberOf(await sessionIdOf(cookie), new Date(), person.tenantId);
  if (member === null || member === 'outsider') throw new Error('not a member');
  await db().session.updateMany({ where: { id: member.sessionId }, data: { endedAt: new Date() } });
  await expect(newRecoveryCodes(new Date(), member)).rejects.toMatchObject({ code: 'sign_in_required' });
  await expect(removeTotp(new Date(), member)).rejects.toMatchObject({ code: 'sign_in_required' });
});

test('wrong codes in a session are limited and recorded like those of a sign-in', async () => {
  const made = await makeProtected();
  const { codes, userId, password } = made;
  const { mutate } = await enterWithCode(made, codes[0] ?? '');
  const guess = () => mutate('second_factor.new_codes', { password, code: '123456' });
  for (let guesses = 0; guesses < 6; guesses += 1) expect((await guess()).status).toBe(400);
  expect(await guess()).toMatchObject({ status: 429, error: { code: 'rate_limited' } });
  const where = { userId, outcome: 'wrong_second_factor' };
  const attempts = () => db().signIn.aggregate({ where, _sum: { attempts: true } });
  expect((await until(attempts, ({ _sum }) => _sum.attempts === 6))._sum.attempts).toBe(6);
});

test('wrong passwords in a session are limited for the account, and recorded like those of a sign-in', async () => {
  const person = await makePerson((await makeTenant()).id);
  const known = freshAddress();
  const signedIn = await signIn({ ...person, address: known, ticket: '' }, NOW);
  const member = signedIn && 'sessionId' in signedIn ? await memberOf(signedIn.sessionId, NOW, person.tenantId) : null;
  if (member === null || member === 'outsider') throw new Error('not signed in');
  const enterFrom = (address: string, password = 'a wrong password') =>
    confirmSession(new Date(), { member, address, proof: { password, factor: null } }).then(
      () => 'confirmed',
      ({ code }: { code: string }) => code,
    );
  const guesses = await Promise.all(Array.from({ length: 12 }, () => enterFrom(freshAddress())));
  expect(guesses.sort()).toEqual([...Array(10).fill('invalid_request'), 'rate_limited', 'rate_limited']);
  expect(await enterFrom(freshAddress(), person.password)).toBe('rate_limited');
  expect(await enterFrom(known, person.password)).toBe('confirmed');
  const failed = { tenantId: person.tenantId, userId: person.userId, outcome: 'wrong_password' };
  await until(
    () => db().signIn.count({ where: failed }),
    (count) => count === 10,
  );
});

test('a person without a password sets up a second factor after a new sign-in through the provider', async () => {
  const tenant = await makeTenant();
  const { userId, email } = await makePerson(tenant.id);
  await db().user.update({ where: { id: userId }, data: { passwordHash: null } });
  const enterAt = async (authenticatedAt: Date | undefined) => {
    const user = { issuer: 'https://id.example', subject: email, email, ...(authenticatedAt && { authenticatedAt }) };
    const result = await signInVerified(new Date(), user, freshAddress());
    const cookie = await cookieOf(typeof result === 'object' ? result.sessionId : '');
    return (path: string, input: object = {}) => callProcedure(path, { origin, cookie, type: 'mutation', input });
  };
  const refused = { status: 403, error: { code: 'confirmation_required' } };
  const stale = await enterAt(new Date(Date.now() - 31 * 60_000));
  for (const path of ['second_factor.start_totp', 'session.confirm'])
    expect(await stale(path), path).toMatchObject(refused);
  expect(await stale('privacy.update', RETENTION)).toMatchObject(refused);
  for (const fresh of [await enterAt(new Date(Date.now() - 60_000)), await enterAt(undefined)])
    expect((await fresh('privacy.update', RETENTION)).status).toBe(200);
  const fresh = await enterAt(undefined);
  const { data } = await fresh('second_factor.start_totp');
  const { secret } = data as { secret: string };
  const confirmed = await fresh('second_factor.confirm_totp', { code: totpCode(secret, new Date()) });
  expect(confirmed.status).toBe(200);
  const [code = ''] = (confirmed.data as { recovery_codes: string[] }).recovery_codes;
  expect(await fresh('second_factor.remove_totp')).toMatchObject({
    status: 400,
    error: { fields: [{ path: 'code' }] },
  });
  // A confirmation without a password does not extend the time of the sign-in.
  await db().session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 29 * 60_000) } });
  expect((await fresh('session.confirm', { code })).status).toBe(200);
  await db().session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 31 * 60_000) } });
  expect(await fresh('second_factor.remove_totp')).toMatchObject(refused);
});

test('a challenge for a proof does not add a passkey, and a proof removes no passkey of another person', async () => {
  const made = await makeProtected();
  const { person, codes, password } = made;
  const { cookie, mutate } = await enterWithCode(made, codes[0] ?? '');
  const add = async (userId: string) => {
    const id = newId('psk');
    const bytes = { credentialId: new Uint8Array(Buffer.from(id)), publicKey: new Uint8Array([1]), counter: 0 };
    await db().passkey.create({ data: { id, userId, name: 'Key', ...bytes, transports: [], createdAt: NOW } });
    return id;
  };
  await add(person.userId);
  const methods = await callProcedure('second_factor.proof_methods', { origin, cookie, type: 'query' });
  const { passkeys } = methods.data as { passkeys: { challenge: string } };
  const sessionId = await sessionIdOf(cookie);
  expect(isChallengeFor(sessionId, passkeys.challenge, new Date())).toBe(false);
  const other = await makePerson(person.tenantId);
  const theirs = await add(other.userId);
  const removal = { password, code: codes[1], passkey_id: theirs };
  expect((await mutate('second_factor.remove_passkey', removal)).status).toBe(404);
  expect(await db().passkey.count({ where: { id: theirs } })).toBe(1);
});

test('an owner removes the second factor of another member, which ends the sessions, but not their own', async () => {
  const { userId, tenantId, enterPassword, complete, codes } = await makeProtected(false);
  const done = await complete(await enterPassword(NOW), codes[0] ?? '', NOW);
  const sessionId = typeof done === 'object' ? done.sessionId : '';
  const owner = await enter(await makePerson(tenantId, 'OWNER', 'Second Owner'));
  const listed = (await owner.query('team.list')).data as { members: { name: string; second_factor: boolean }[] };
  expect(listed.members.map(({ second_factor }) => second_factor)).toEqual([true, false]);
  expect((await owner.mutate('team.reset_second_factor', { user_id: owner.userId })).status).toBe(403);
  expect((await owner.mutate('team.reset_second_factor', { user_id: userId })).status).toBe(200);
  expect((await owner.mutate('team.reset_second_factor', { user_id: userId })).status).toBe(404);
  expect(await memberOf(sessionId, NOW, tenantId)).toBeNull();
  expect(await enterPassword(NOW)).toMatch(/^ses_/);
  const entries = await db().auditLog.findMany({ where: { tenantId, action: 'member.second_factor_reset' } });
  expect(entries).toMatchObject([{ actorId: owner.userId, objectId: userId }]);
});

test('a tenant requires a second factor: members without one can only set it up', async () => {
  const tenant = await makeTenant();
  const person = await makePerson(tenant.id);
  const member = await enter(await makePerson(tenant.id, 'SUPPORT'));
  const owner = await enter(person);
  expect((await owner.mutate('team.require_second_factor', { required: true })).error?.code).toBe(
    'second_factor_required',
  );
  const { codes } = await setUpTotp(person, NOW);
  const step = await signInOverHttp(origin, person.email, person.password);
  const cookie = await completeOverHttp(origin, step, codes[0] ?? '');
  const require = (required: boolean) =>
    callProcedure('team.require_second_factor', { origin, cookie, type: 'mutation', input: { required } });
  expect((await require(true)).status).toBe(200);
  expect((await require(true)).status).toBe(200);
  expect(await member.query('applications.list', {})).toMatchObject({
    status: 403,
    error: { code: 'second_factor_required' },
  });
  expect((await member.query('session.me')).status).toBe(200);
  const { secret } = (await member.mutate('second_factor.start_totp', { password: member.password })).data as {
    secret: string;
  };
  expect((await member.query('applications.list', {})).status).toBe(403);
  const code = totpCode(secret, new Date());
  expect((await member.mutate('second_factor.confirm_totp', { code })).status).toBe(200);
  expect((await member.query('applications.list', {})).status).toBe(200);
  expect((await require(false)).status).toBe(200);
  const where = { tenantId: tenant.id, objectKind: 'tenant' };
  const entries = await db().auditLog.findMany({ where, orderBy: { id: 'asc' } });
  expect(entries.map(({ after }) => after)).toEqual([{ required: true }, { required: false }]);
});
