import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { decode, encode } from 'next-auth/jwt';
import { Agent, request } from 'undici';
import { TENANT_HEADER, tenantIn } from '@/app/_components/tenant-path';
import { cookieName } from '@/lib/access/owners/cookies';
import { lastTenantOf } from '@/lib/access/owners/memberships';
import { openSession, SESSION_HOURS, signedInOf } from '@/lib/access/owners/session';
import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { tokenKeyFor } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { freshAddress } from './client';

/** With the plaintext password. */
export type Person = { userId: string; tenantId: string; email: string; password: string; name: string };

/**
 * If `proven` is false, the account belongs only to this tenant. Requires DATABASE_URL, SECRET_KEY, and ENVIRONMENT.
 */
export async function makePerson(
  tenantId: string,
  role: Role = 'OWNER',
  name = 'Olivia Owner',
  password = randomBytes(12).toString('base64url'),
  proven = true,
): Promise<Person> {
  const email = `${newId('usr')}@salon.example`;
  // Low costs save time. The hash contains its costs, so the server can verify it.
  const passwordHash = await hash(password, { memoryCost: 4096, timeCost: 1 });
  const userId = newId('usr');
  const memberships = { create: { tenantId, role } };
  await db().user.create({
    data: { id: userId, email, name, passwordHash, addressProvenAt: proven ? new Date() : null, memberships },
  });
  return { userId, tenantId, email, password, name };
}

type Browser = { cookie?: string | null; userAgent?: string };

/**
 * Returns the cookies, or null if the sign-in was refused. By default, from a new address, so that tests do not share a
 * rate limit.
 */
export async function signInOverHttp(
  origin: string,
  email: string,
  password: string,
  address = freshAddress(),
  { cookie, userAgent }: Browser = {},
): Promise<string | null> {
  const dispatcher = new Agent({ localAddress: address });
  const base = `http://127.0.0.1:${new URL(origin).port}`;
  const first = await request(`${base}/api/auth/csrf`, { dispatcher });
  const text = await first.body.text();
  if (first.statusCode !== 200 || text === '')
    throw new Error(`csrf: ${first.statusCode} ${JSON.stringify(first.headers)}`);
  const { csrfToken } = JSON.parse(text) as { csrfToken: string };
  const jar = cookiesOf(first.headers['set-cookie']);
  const response = await request(`${base}/api/auth/callback/credentials`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookie ? `${jar}; ${cookie}` : jar,
      ...(userAgent && { 'user-agent': userAgent }),
    },
    body: new URLSearchParams({ csrfToken, email, password, json: 'true' }).toString(),
  });
  await response.body.dump();
  await dispatcher.close();
  const session = cookiesOf(response.headers['set-cookie']);
  return session.includes('.session=') ? session : null;
}

export async function sessionIdOf(cookie: string | null): Promise<string> {
  const token = cookie?.split(`${cookieName('session')}=`)[1]?.split(';')[0];
  const secret = tokenKeyFor('session').toString('base64');
  return (await decode({ ...(token && { token }), secret }))?.sub ?? '';
}

/**
 * Opens a session in the database, with a fraction of the processor time of `signInOverHttp`. Requires the server's
 * DATABASE_URL, SECRET_KEY, and ENVIRONMENT.
 */
export async function openSessionOf({ userId }: Pick<Person, 'userId'>): Promise<string> {
  return cookieOf((await openSession(new Date(), { userId, method: 'password', address: freshAddress() }, null)) ?? '');
}

/** Requires the server's SECRET_KEY and ENVIRONMENT. */
export async function cookieOf(sessionId: string): Promise<string> {
  const secret = tokenKeyFor('session').toString('base64');
  const token = await encode({ token: { sub: sessionId }, secret, maxAge: SESSION_HOURS * 3600 });
  return `${cookieName('session')}=${token}`;
}

export function cookiesOf(header: string | string[] | undefined): string {
  return [header ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

type Sender = { cookie?: string | null; address?: string; headers?: Record<string, string> };

/**
 * Sends a body to a route under `/api`, like a page of the Control Center. By default, from a new address, so that
 * tests do not share a rate limit. The body of an empty answer is null.
 */
export async function postAsPage<Body = { error?: { code: string; fields: { path: string }[] } }>(
  origin: string,
  path: `/api/${string}`,
  body: unknown,
  { cookie, address = freshAddress(), headers = {} }: Sender = {},
): Promise<{ status: number; body: Body }> {
  const dispatcher = new Agent({ localAddress: address });
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}${path}`, {
    dispatcher,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-partner-booking': 'control-center',
      ...(cookie && { cookie }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.body.text();
  await dispatcher.close();
  return { status: answer.statusCode, body: (text === '' ? null : JSON.parse(text)) as Body };
}

/** Opens a page from a new address. Returns its HTML without the comments between texts. */
export async function openPage(origin: string, path: string, cookie?: string | null): Promise<string> {
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const answer = await request(`http://127.0.0.1:${new URL(origin).port}${path}`, {
    dispatcher,
    headers: cookie ? { cookie } : {},
  });
  const text = await answer.body.text();
  await dispatcher.close();
  return text.replaceAll('<!-- -->', '');
}

export type TrpcReply = {
  status: number;
  data: unknown;
  error: { code: string; reason: string | null; fields: { path: string; message: string }[]; message: string } | null;
};

type Call = {
  origin: string;
  cookie?: string | null;
  type: 'query' | 'mutation';
  input?: unknown;
  headers?: Record<string, string>;
};

const tenants = new Map<string, string>();

/**
 * The header with the tenant that the member used last. Empty without a session. Asks the server only if its database or
 * its secret is not that of this process, because a page takes as much processor time as several calls.
 */
export async function tenantHeader(origin: string, cookie: string | null | undefined): Promise<Record<string, string>> {
  if (!cookie) return {};
  const key = `${origin} ${cookie}`;
  const tenantId = tenants.get(key) ?? (await tenantInDatabase(cookie)) ?? (await tenantFromServer(origin, cookie));
  if (tenantId === null) return {};
  tenants.set(key, tenantId);
  return { [TENANT_HEADER]: tenantId };
}

async function tenantInDatabase(cookie: string): Promise<string | null> {
  const person = await signedInOf(await sessionIdOf(cookie).catch(() => ''), new Date());
  return person && lastTenantOf(person.userId);
}

async function tenantFromServer(origin: string, cookie: string): Promise<string | null> {
  const { headers, body } = await request(`${origin}/`, { headers: { cookie } });
  await body.dump();
  return tenantIn(String(headers.location ?? ''));
}

/** Each test file has its own address, because wrong passwords of a file count against the limit of its address. */
const agent = () => singleton('test:agent', () => new Agent({ localAddress: freshAddress() }));

/** Without a tenant in `headers`, the call is for the tenant that the person used last. */
export async function callProcedure(
  path: string,
  { origin, cookie, type, input, headers = {} }: Call,
): Promise<TrpcReply> {
  const query = type === 'query' && input !== undefined ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const response = await request(`http://127.0.0.1:${new URL(origin).port}/api/trpc/${path}${query}`, {
    dispatcher: agent(),
    method: type === 'query' ? 'GET' : 'POST',
    headers: {
      'x-partner-booking': 'control-center',
      ...(type === 'mutation' ? { 'content-type': 'application/json' } : {}),
      ...(cookie ? { cookie } : {}),
      ...(TENANT_HEADER in headers ? {} : await tenantHeader(origin, cookie)),
      ...headers,
    },
    body: type === 'mutation' ? JSON.stringify(input ?? {}) : undefined,
  });
  const text = await response.body.text();
  const body = text === '' ? null : JSON.parse(text);
  const error = body?.error ? { ...body.error.data, message: body.error.message } : null;
  return { status: response.statusCode, data: body?.result?.data, error };
}
