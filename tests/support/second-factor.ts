import { Secret, TOTP } from 'otpauth';
import { Agent, request } from 'undici';
import { memberOf } from '@/lib/access/owners/session';
import { signIn } from '@/lib/access/owners/sign-in';
import { confirmTotp, startTotp } from '@/lib/access/owners/totp';
import { freshAddress } from './client';
import { cookiesOf, type Person } from './control-center';

export function totpCode(secret: string, at: Date): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });
}

/** As if at the time `at`. */
export async function setUpTotp(person: Person, at: Date): Promise<{ secret: string; codes: string[] }> {
  const address = freshAddress();
  const signedIn = await signIn({ ...person, address, ticket: '' }, at);
  const member = signedIn && 'sessionId' in signedIn ? await memberOf(signedIn.sessionId, at, person.tenantId) : null;
  if (member === null || member === 'outsider') throw new Error('the person cannot sign in');
  const { secret } = await startTotp(at, member);
  const codes = await confirmTotp(at, { member, address, code: totpCode(secret, at) });
  return { secret, codes: codes ?? [] };
}

/** Null if the code was refused. */
export async function completeOverHttp(origin: string, cookie: string | null, code: string): Promise<string | null> {
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const base = `http://127.0.0.1:${new URL(origin).port}`;
  const first = await request(`${base}/api/auth/csrf`, { dispatcher });
  const { csrfToken } = (await first.body.json()) as { csrfToken: string };
  const response = await request(`${base}/api/auth/callback/second-step`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: [cookiesOf(first.headers['set-cookie']), cookie ?? ''].join('; '),
    },
    body: new URLSearchParams({ csrfToken, code, json: 'true' }).toString(),
  });
  await response.body.dump();
  await dispatcher.close();
  const session = cookiesOf(response.headers['set-cookie']);
  return session.includes('.session=') ? session : null;
}
