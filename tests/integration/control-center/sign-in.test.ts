import { Agent, request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { signIn, throttleAccount } from '@/lib/access/owners/sign-in';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import { callProcedure, makePerson, type Person, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
const me = (cookie: string | null) => callProcedure('session.me', { origin, cookie, type: 'query' });

let person: Person;
beforeAll(async () => {
  person = await makePerson((await makeTenant()).id);
});

describe('sign-in', () => {
  test('starts a session with the right password', async () => {
    const cookie = await signInOverHttp(origin, person.email, person.password);
    const reply = await me(cookie);
    expect(reply.status).toBe(200);
    expect(reply.data).toMatchObject({ email: person.email, role: 'OWNER', environment: 'TEST' });
  });

  test('accepts the email address in upper case', async () => {
    expect(await signInOverHttp(origin, person.email.toUpperCase(), person.password)).not.toBeNull();
  });

  test('returns the same response for a wrong password, an unknown user and a malformed email address', async () => {
    const dispatcher = new Agent({ localAddress: freshAddress() });
    const base = `http://127.0.0.1:${new URL(origin).port}`;
    const answers = await Promise.all(
      [person.email, 'nobody@salon.example', `${person.email}\0`].map(async (email) => {
        const first = await request(`${base}/api/auth/csrf`, { dispatcher });
        const { csrfToken } = (await first.body.json()) as { csrfToken: string };
        const cookie = [first.headers['set-cookie'] ?? []]
          .flat()
          .map((text) => text.split(';')[0])
          .join('; ');
        const answer = await request(`${base}/api/auth/callback/credentials`, {
          dispatcher,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
          body: new URLSearchParams({ csrfToken, email, password: 'wrong', json: 'true' }).toString(),
        });
        return { status: answer.statusCode, body: await answer.body.text() };
      }),
    );
    await dispatcher.close();
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(answers[0]?.status).toBe(401);
  });

  test('sets an HttpOnly cookie that names the environment', async () => {
    const first = await request(`${origin}/api/auth/csrf`);
    const [cookie = ''] = [first.headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(/^partner-booking-test\.csrf=/);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
  });

  test('requires the CSRF token', async () => {
    const answer = await request(`${origin}/api/auth/callback/credentials`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email: person.email, password: person.password, json: 'true' }).toString(),
    });
    expect([answer.headers['set-cookie'] ?? []].flat().join()).not.toContain('.session=');
  });

  test('rejects an ended session on the next call', async () => {
    const cookie = await signInOverHttp(origin, person.email, person.password);
    expect((await me(cookie)).status).toBe(200);
    await db().session.updateMany({ where: { userId: person.userId }, data: { endedAt: new Date() } });
    const reply = await me(cookie);
    expect(reply.status).toBe(401);
    expect(reply.error?.code).toBe('sign_in_required');
  });

  test('ends a session eight hours after its start', async () => {
    const cookie = await signInOverHttp(origin, person.email, person.password);
    const [session] = await db().session.findMany({ where: { userId: person.userId, endedAt: null } });
    expect(session && session.expiresAt.getTime() - session.createdAt.getTime()).toBe(8 * 3_600_000);
    const past = new Date(Date.now() - 9 * 3_600_000);
    await db().session.updateMany({
      where: { userId: person.userId, endedAt: null },
      data: { createdAt: past, expiresAt: new Date(past.getTime() + 8 * 3_600_000) },
    });
    expect((await me(cookie)).status).toBe(401);
  });

  test('rejects the session of a removed member', async () => {
    const other = await makePerson((await makeTenant()).id);
    const cookie = await signInOverHttp(origin, other.email, other.password);
    await db().membership.deleteMany({ where: { userId: other.userId } });
    expect((await me(cookie)).status).toBe(401);
  });
});

describe('guessing a password', () => {
  test('is limited per account and address and does not lock out other addresses', async () => {
    const victim = await makePerson((await makeTenant()).id);
    const guesser = freshAddress();
    const attempts = await Promise.all(
      Array.from({ length: 8 }, () => signInOverHttp(origin, victim.email, 'guess', guesser)),
    );
    expect(attempts).toEqual(Array(8).fill(null));
    expect(await signInOverHttp(origin, victim.email, victim.password, guesser)).toBeNull();
    // The correct password is accepted from an address that has sent no wrong passwords.
    expect(await signInOverHttp(origin, victim.email, victim.password)).not.toBeNull();
  });
});

describe('signing in', () => {
  test('repeatedly is never limited and does not reset the limit of other accounts', async () => {
    const address = freshAddress();
    const enter = async ({ email }: Person, password: string) => {
      const result = await signIn({ email, password, address, ticket: '', tenantId: '' }, new Date());
      return result && 'sessionId' in result;
    };
    for (let i = 0; i < 8; i++) expect(await enter(person, person.password), `${i + 1}`).toBe(true);
    const other = await makePerson((await makeTenant()).id);
    for (let i = 0; i < 6; i++) {
      expect(await enter(other, 'guess')).toBeNull();
      expect(await enter(person, person.password)).toBe(true);
    }
    // After six wrong passwords from this address, even the correct password is refused.
    await expect(enter(other, other.password)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('over IPv6 is limited per /64 network', async () => {
    const account = `${newId('usr')}@salon.example`;
    for (let i = 1; i <= 6; i++) await throttleAccount(account, `2001:db8:0:1::${i}`);
    await expect(throttleAccount(account, '2001:db8:0:1:ffff::1')).rejects.toMatchObject({ code: 'rate_limited' });
    await throttleAccount(account, '2001:db8:0:2::1');
  });
});

describe('the other routes of next-auth', () => {
  test.each([
    ['GET', 'signout', 405],
    ['GET', 'signin', 404],
    ['GET', 'verify-request', 404],
    ['GET', 'error', 404],
    ['GET', 'callback/credentials', 405],
    ['POST', 'signin/credentials', 404],
    ['POST', '_log', 404],
    ['POST', 'callback/google', 404],
    ['POST', 'callback/credentials', 400],
  ])('%s /api/auth/%s returns %i', async (method, path, status) => {
    const answer = await request(`${origin}/api/auth/${path}`, {
      method: method as 'GET',
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: '{"email":' }),
    });
    expect([answer.statusCode, await answer.body.text()]).toEqual([status, '']);
    expect(answer.headers['cache-control']).toContain('no-store');
  });
});

test.each(['csrf', 'providers', 'session'])(
  'GET /api/auth/%s returns JSON to the client of next-auth',
  async (path) => {
    // The next-auth client sends this content type even though its request has no body.
    const answer = await request(`${origin}/api/auth/${path}`, { headers: { 'content-type': 'application/json' } });
    expect([answer.statusCode, typeof (await answer.body.json())]).toEqual([200, 'object']);
  },
);

describe('pages', () => {
  test.each([
    '/',
    '/applications',
    '/requests',
    '/webhooks',
    '/bookings',
    '/bookings/week',
    '/bookings/import',
    '/catalog',
    '/calendar-feeds',
    '/team',
    '/audit',
    '/audit/sign-ins',
    '/audit/refused',
    '/environment',
    `/t/${newId('ten')}`,
    `/t/${newId('ten')}/team`,
    '/t/x/team',
  ])('%s redirects to the sign-in page before anything is rendered', async (path) => {
    const answer = await request(`${origin}${path}`, { headers: { accept: 'text/html' } });
    await answer.body.dump();
    expect(answer.statusCode).toBe(307);
    expect(answer.headers.location).toMatch(/^\/sign-in/);
  });

  test('have headers that forbid other hosts, frames, referrers and caching', async () => {
    const { headers } = await request(`${origin}/sign-in`);
    expect(headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic'/);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toContain('no-store');
  });

  test('reject API calls that another site could make', async () => {
    const cookie = await signInOverHttp(origin, person.email, person.password);
    const forms: Record<string, string>[] = [
      { 'x-partner-booking': '' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://elsewhere.example' },
    ];
    for (const headers of forms) {
      const reply = await callProcedure('session.me', { origin, cookie, type: 'query', headers });
      expect(reply.status).toBe(403);
    }
  });
});
