import { cookies, headers } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import { getServerSession } from 'next-auth';
import { decode, type JWT, type JWTDecodeParams } from 'next-auth/jwt';
import CredentialsProvider from 'next-auth/providers/credentials';
import { cache } from 'react';
import { cookieName, secureCookies } from '@/lib/access/owners/cookies';
import { rememberSession } from '@/lib/access/owners/known-sessions';
import { recordUse } from '@/lib/access/owners/memberships';
import { completeSignIn, type StepMethods, secondStepOf, stepMethods } from '@/lib/access/owners/second-step';
import {
  type Access,
  endSession,
  type Member,
  memberOf,
  recordSessionUse,
  SESSION_HOURS,
  type SignedIn,
  type SigningIn,
  signedInOf,
} from '@/lib/access/owners/session';
import { signIn } from '@/lib/access/owners/sign-in';
import { AppError } from '@/lib/contract/errors/app-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { isId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';
import { TENANT_HEADER, tenantIn } from './_components/tenant-path';
import { UNATTENDED_HEADER } from './_components/unattended';
import { oidcProviders, vouchedSignIn } from './_oidc';

declare module 'next-auth' {
  interface Session {
    /** The id of the session, or of a sign-in that waits for the second factor. The cookie contains only this id. */
    sessionId?: string;
    /** Whether the sign-in waits for the second factor. */
    secondStep?: boolean;
  }
}

const MAX_AGE = SESSION_HOURS * 3600;

/** Returns the options of next-auth. The id in the session cookie is looked up for every request. */
export function authOptions(): NextAuthOptions {
  const secure = secureCookies();
  const cookie = (purpose: Parameters<typeof cookieName>[0]) => ({
    name: cookieName(purpose),
    options: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure },
  });
  return {
    logger: { error: logProblem },
    secret: tokenKeyFor('session').toString('base64'),
    session: { strategy: 'jwt', maxAge: MAX_AGE },
    jwt: { maxAge: MAX_AGE, decode: decodeCookie },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: {
      sessionToken: cookie('session'),
      callbackUrl: cookie('callback'),
      csrfToken: cookie('csrf'),
      pkceCodeVerifier: cookie('pkce'),
      state: cookie('state'),
      nonce: cookie('nonce'),
    },
    providers: [credentials(), secondStep(), ...oidcProviders()],
    callbacks: {
      signIn: (given) => vouchedSignIn(given, signingIn),
      jwt: ({ token, user }) => (user ? { sub: user.id } : { sub: token.sub }),
      session: ({ session, token }) => ({
        expires: session.expires,
        sessionId: token.sub,
        secondStep: isId('sst', token.sub ?? ''),
      }),
    },
    events: { signOut: ({ token }) => endSession(token.sub ?? '', new Date()) },
  };
}

/** Decrypts a cookie. During a rotation of SECRET_KEY, tries the new and the old secret. */
async function decodeCookie(params: JWTDecodeParams): Promise<JWT | null> {
  const secrets = acceptedTokenKeys('session').map((secret) => secret.toString('base64'));
  const results = await Promise.allSettled(secrets.map((secret) => decode({ ...params, secret })));
  const decrypted = results.find((result) => result.status === 'fulfilled') ?? results[0];
  if (decrypted?.status === 'rejected') throw decrypted.reason;
  return decrypted?.value ?? null;
}

/**
 * Logs a problem that next-auth reports. If a session cookie cannot be decrypted, logs only that it was refused: the
 * cookie has expired, is forged, or was encrypted with an old SECRET_KEY. For an invalid `callbackUrl`, only the
 * problem's code is logged, because the message quotes the client's URL, which may contain a secret.
 */
function logProblem(code: string, problem: unknown): void {
  if (code === 'JWT_SESSION_ERROR') {
    log().info({ source: 'next-auth' }, 'refused a session cookie');
    return;
  }
  const safe = problem instanceof Error && code !== 'INVALID_CALLBACK_URL_ERROR';
  log().error({ source: 'next-auth', ...(safe ? { err: problem } : {}) }, code);
}

function credentials() {
  return CredentialsProvider({
    id: 'credentials',
    credentials: { email: { type: 'email' }, password: { type: 'password' }, ticket: {}, tenant: {} },
    authorize: async (given, request) => {
      const { email, password, ticket = '', tenant = '' } = given ?? {};
      if (
        typeof email !== 'string' ||
        typeof password !== 'string' ||
        typeof ticket !== 'string' ||
        typeof tenant !== 'string' ||
        email.length > 320 ||
        password.length > 1024 ||
        ticket.length > 100 ||
        tenant.length > 100 ||
        tenant.includes('\0') ||
        email.includes('\0')
      )
        return null;
      const attempt = {
        email,
        password,
        ticket,
        tenantId: tenant,
        address: String(request.headers?.[EDGE_HEADERS.address] ?? 'unknown'),
        browser: await signingIn(),
      };
      const result = await signIn(attempt, new Date()).catch(codeError);
      if (result === null) return null;
      if ('delay' in result) throw new Error(`delayed:${result.delay.seconds}:${result.delay.ticket}`);
      return { id: result.sessionId };
    },
  });
}

/** Completes a sign-in with a code or a passkey. The cookie of the first step identifies the sign-in. */
function secondStep() {
  return CredentialsProvider({
    id: 'second-step',
    credentials: { code: {}, passkey: {} },
    authorize: async (given, request) => {
      const { code = '', passkey } = given ?? {};
      if (typeof code !== 'string' || code.length > 40) return null;
      if (passkey !== undefined && (typeof passkey !== 'string' || passkey.length > 20_000)) return null;
      const proof = passkey ? { passkey } : { code };
      const address = String(request.headers?.[EDGE_HEADERS.address] ?? 'unknown');
      const browser = await signingIn();
      const attempt = { stepId: browser.replaces ?? '', address, browser, ...proof };
      const result = await completeSignIn(new Date(), attempt).catch(codeError);
      if (result === 'wrong') return null;
      if (result === 'expired') throw new Error('step_expired');
      return { id: result.sessionId };
    },
  });
}

/** Throws an error whose message is the error code, because next-auth passes only the message to the page. */
function codeError(error: unknown): never {
  throw new Error(error instanceof AppError ? error.code : 'service_unavailable');
}

async function signingIn(): Promise<SigningIn> {
  const [replaces, given] = await Promise.all([currentSessionId(), headers()]);
  return { userAgent: given.get('user-agent'), replaces };
}

async function currentSessionId(): Promise<string | null> {
  return (await getServerSession(authOptions()))?.sessionId ?? null;
}

/** Returns the ways to complete the sign-in that the user has begun. Returns null if the user must start over. */
export async function currentStepMethods(): Promise<StepMethods | null> {
  const stepId = await currentSessionId();
  return stepId === null ? null : stepMethods(stepId, new Date());
}

/** Returns whether the sender of the current request has yet to prove the second factor in order to sign in. */
export async function awaitsSecondStep(): Promise<boolean> {
  const stepId = await currentSessionId();
  return stepId !== null && (await secondStepOf(stepId, new Date())) !== null;
}

/** Returns the person who sent the current request, without a check of the tenant; null if nobody is signed in. */
export async function currentPerson(): Promise<SignedIn | null> {
  const sessionId = await currentSessionId();
  return sessionId === null ? null : signedInOf(sessionId, new Date());
}

/** Returns the sender of the current request, for the language of the page; null if nobody is signed in. */
export async function currentReader(): Promise<Pick<SignedIn, 'language' | 'hourCycle'> | null> {
  const access = await currentAccess();
  return access === 'outsider' ? currentPerson() : access;
}

/**
 * Returns what the sender of the current request may access in the tenant that the request names. A request for a page
 * names the tenant in its path. A call from a page names the tenant in a header. While a page is rendered, the session
 * is looked up only once.
 */
export const currentAccess = cache(async (): Promise<Access> => accessOf(await currentSessionId()));

async function accessOf(sessionId: string | null): Promise<Access> {
  if (sessionId === null) return null;
  const given = await headers();
  const now = new Date();
  const inPath = tenantIn(given.get(EDGE_HEADERS.target) ?? '');
  const access = await memberOf(sessionId, now, inPath ?? given.get(TENANT_HEADER) ?? '');
  const cookie = (await cookies()).get(cookieName('session'))?.value;
  if (access !== null && cookie) rememberSession(cookie, sessionId);
  // Records which tenant the user used last. Calls from pages do not count, because pages in background tabs send them
  // too.
  if (access === null || access === 'outsider') return access;
  if (inPath !== null) await recordUse(now, access.userId, access.tenantId);
  // A page that nobody touches loads its data again and again, which must not keep the session open.
  if (!given.has(UNATTENDED_HEADER)) await recordSessionUse(now, access);
  return access;
}

/** What the sender of a request may access, and the person if the request names a tenant of which it is not a member. */
type Caller = { access: Access; outsider: SignedIn | undefined };

/** Returns a function that looks up the sender. Decrypts the cookie only once, but asks the database with each call. */
export async function callerLookup(): Promise<() => Promise<Caller>> {
  const sessionId = await currentSessionId();
  return async () => {
    const access = await accessOf(sessionId);
    const isOutsider = access === 'outsider' && sessionId !== null;
    return { access, outsider: (isOutsider && (await signedInOf(sessionId, new Date()))) || undefined };
  };
}

/** Looks up the sender of the current request. */
export async function currentCaller(): Promise<Caller> {
  return (await callerLookup())();
}

/** Returns null if nobody is signed in, or if the person is not a member of the tenant that the request names. */
export async function currentMember(): Promise<Member | null> {
  const access = await currentAccess();
  return access === 'outsider' ? null : access;
}
