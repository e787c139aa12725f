import { cookies } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import { getServerSession } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { cookieName, secureCookies } from '@/lib/access/owners/cookies';
import { rememberSession } from '@/lib/access/owners/known-sessions';
import { endSession, type Member, memberOf } from '@/lib/access/owners/session';
import { SESSION_HOURS, signIn } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { secretFor } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { oidcProviders, vouchedSignIn } from './_oidc';

declare module 'next-auth' {
  interface Session {
    /** The id of the session in the database. The cookie contains nothing else. */
    sessionId?: string;
  }
}

const MAX_AGE = SESSION_HOURS * 3600;

/**
 * Returns the options of next-auth. The session cookie contains only the id of a session. For every request, the
 * session with this id is checked in the database.
 */
export function authOptions(): NextAuthOptions {
  const secure = secureCookies();
  const cookie = (purpose: Parameters<typeof cookieName>[0]) => ({
    name: cookieName(purpose),
    options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure },
  });
  return {
    logger: { error: logProblem },
    secret: secretFor('session').toString('base64'),
    session: { strategy: 'jwt', maxAge: MAX_AGE },
    jwt: { maxAge: MAX_AGE },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: {
      sessionToken: cookie('session'),
      callbackUrl: cookie('callback'),
      csrfToken: cookie('csrf'),
      pkceCodeVerifier: cookie('pkce'),
      state: cookie('state'),
      nonce: cookie('nonce'),
    },
    providers: [credentials(), ...oidcProviders()],
    callbacks: {
      signIn: vouchedSignIn,
      jwt: ({ token, user }) => (user ? { sub: user.id } : { sub: token.sub }),
      session: ({ session, token }) => ({ expires: session.expires, sessionId: token.sub }),
    },
    events: { signOut: ({ token }) => endSession(token.sub ?? '', systemClock()) },
  };
}

/**
 * Logs a problem that next-auth reports. The message of an invalid `callbackUrl` quotes the value, which the client chose
 * and which may contain a secret, so only the code of this problem is logged.
 */
function logProblem(code: string, problem: unknown): void {
  const safe = problem instanceof Error && code !== 'INVALID_CALLBACK_URL_ERROR';
  log().error({ source: 'next-auth', ...(safe ? { err: problem } : {}) }, code);
}

function credentials() {
  return CredentialsProvider({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' }, ticket: {} },
    authorize: async (given, request) => {
      const { email, password, ticket = '' } = given ?? {};
      if (
        typeof email !== 'string' ||
        typeof password !== 'string' ||
        typeof ticket !== 'string' ||
        email.length > 320 ||
        password.length > 1024 ||
        ticket.length > 100 ||
        email.includes('\0')
      )
        return null;
      const attempt = {
        email,
        password,
        ticket,
        address: String(request.headers?.[EDGE_HEADERS.address] ?? 'unknown'),
      };
      const result = await signIn(attempt, systemClock()).catch((error: unknown) => {
        // next-auth passes only the error's message to the page, so the message is the error code.
        throw new Error(error instanceof AppError ? error.code : 'service_unavailable');
      });
      if (result === null) return null;
      if ('delay' in result) throw new Error(`delayed:${result.delay.seconds}:${result.delay.ticket}`);
      return { id: result.sessionId };
    },
  });
}

/** Returns the signed-in member who sent the current request; null if nobody is signed in. */
export async function currentMember(): Promise<Member | null> {
  const session = await getServerSession(authOptions());
  const member = session?.sessionId ? await memberOf(session.sessionId, systemClock()) : null;
  const cookie = (await cookies()).get(cookieName('session'))?.value;
  if (member && cookie) rememberSession(cookie, member.sessionId);
  return member;
}
