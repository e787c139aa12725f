import { beforeEach, expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { cookiesOf, makePerson, type Person } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import type { Provider } from '@/tests/support/oidc';
import { sharedServer } from '@/tests/support/shared';
import type { Stage } from './stage';

let { provider, server } = {} as Stage;

const sessionsOf = ({ userId }: Person) => db().session.count({ where: { userId, endedAt: null } });
const makeOwner = async () => makePerson((await makeTenant()).id);

/** As a browser follows it: without the cookies of other sites. Returns the page that the member sees at the end. */
async function open(url: string, cookie: string): Promise<{ url: string; html: string; cookie: string }> {
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  const all = [cookie, cookiesOf(response.headers.getSetCookie())].filter(Boolean).join('; ');
  const target = response.headers.get('location');
  return target ? open(new URL(target, url).href, all) : { url, html: await response.text(), cookie: all };
}

/** Presses the button of the provider on the sign-in page. */
async function signIn(callbackUrl = '/') {
  const first = await fetch(`${server.origin}/api/auth/csrf`);
  const { csrfToken } = (await first.json()) as { csrfToken: string };
  const csrf = cookiesOf(first.headers.getSetCookie());
  const response = await fetch(`${server.origin}/api/auth/signin/oidc`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: csrf },
    body: new URLSearchParams({ csrfToken, callbackUrl, json: 'true' }),
  });
  const { url } = (await response.json()) as { url: string };
  expect(new URL(url).origin).toBe(provider.issuer);
  const atProvider = await fetch(url, { redirect: 'manual' });
  const cookie = `${csrf}; ${cookiesOf(response.headers.getSetCookie())}`;
  return open(atProvider.headers.get('location') ?? '', cookie);
}

type Claims = [claims: object, forged?: boolean, info?: object];

const REFUSED: [string, (email: string) => Claims, string][] = [
  [
    'the userinfo of another user',
    (email) => [{}, false, { sub: 'person-2', email, email_verified: true }],
    'with your provider failed',
  ],
  [
    'an address that no member has',
    () => [{ email: `${newId('usr')}@x.example`, email_verified: true }],
    'No member of this',
  ],
  ['an address that was not verified', (email) => [{ email, email_verified: false }], 'No member of this'],
  ['an address without email_verified', (email) => [{ email }], 'No member of this'],
  ['email_verified as a string', (email) => [{ email, email_verified: 'true' }], 'No member of this'],
  ['no address', () => [{ email_verified: true }], 'No member of this'],
  ['a list of addresses', (email) => [{ email: [email], email_verified: true }], 'No member of this'],
  ['an address with blanks', (email) => [{ email: ` ${email}\n`, email_verified: true }], 'No member of this'],
  ['an address with a NUL', (email) => [{ email: `${email}\0`, email_verified: true }], 'No member of this'],
  ['a signature of another key', (email) => [{ email, email_verified: true }, true], 'with your provider failed'],
  [
    'a token for another client',
    (email) => [{ email, email_verified: true, aud: 'other' }],
    'with your provider failed',
  ],
  [
    'a token of another issuer',
    (email) => [{ email, email_verified: true, iss: 'http://x.example' }],
    'with your provider failed',
  ],
  ['an expired token', (email) => [{ email, email_verified: true, exp: 1 }], 'with your provider failed'],
  [
    'a nonce of another sign-in',
    (email) => [{ email, email_verified: true, nonce: 'other' }],
    'with your provider failed',
  ],
];

/** Registers the tests of sign-ins through an OpenID provider, for the server of a stage. */
export function providerTests(stage: Stage): void {
  beforeEach(() => {
    ({ provider, server } = stage);
  });

  test('a provider that returns the email address only from its userinfo endpoint works as well', async () => {
    const owner = await makeOwner();
    provider.setClaims({}, false, { email: owner.email, email_verified: true });
    const { url, cookie } = await signIn();
    expect(url).toBe(`${server.origin}/t/${owner.tenantId}`);
    expect(cookie).toContain('.session=');
    expect(await sessionsOf(owner)).toBe(1);
  });

  test.each(REFUSED)('%s starts no session', async (_, claims, sentence) => {
    const owner = await makeOwner();
    provider.setClaims(...(claims(owner.email) as Parameters<Provider['setClaims']>));
    const { url, html, cookie } = await signIn();
    expect(url).toContain(`${server.origin}/sign-in?`);
    expect(html).toContain(sentence);
    expect(await sessionsOf(owner)).toBe(0);
    expect(cookie).not.toContain('.session=');
  });

  test('another user of the provider with the same address starts no session', async () => {
    const owner = await makeOwner();
    provider.setClaims({ email: owner.email, email_verified: true });
    expect((await signIn()).url).toBe(`${server.origin}/t/${owner.tenantId}`);
    provider.setClaims({ sub: 'a different subject', email: owner.email, email_verified: true });
    expect((await signIn()).html).toContain('belongs to another user of your sign-in provider');
    expect(await sessionsOf(owner)).toBe(1);
  });

  test('an unsolicited response starts no session, and a deployment without a provider shows no button', async () => {
    const owner = await makeOwner();
    provider.setClaims({ email: owner.email, email_verified: true });
    const { html, url } = await open(`${server.origin}/api/auth/callback/oidc?code=x&state=y`, '');
    expect([url, html]).toEqual([expect.stringContaining('/sign-in'), expect.stringContaining('provider failed')]);
    const button = /Sign in with (<!-- -->)?\w/;
    // The messages of the page are in a script.
    const shownIn = (page: string) => page.replaceAll(/<script[\s\S]*?<\/script>/g, '');
    expect(shownIn(html)).toMatch(button);
    const other = await (await fetch(`${sharedServer().origin}/sign-in`)).text();
    expect(shownIn(other)).not.toMatch(button);
    expect(await sessionsOf(owner)).toBe(0);
  });
}
