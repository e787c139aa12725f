import NextAuth from 'next-auth';
import { authOptions } from '@/app/_session';
import { oidcSettings } from '@/lib/platform/env';

type Context = { params: Promise<{ nextauth: string[] }> };

/** What our pages ask of next-auth, by method; it has pages of its own beside, which nobody is to see. */
const USED: Record<string, readonly string[]> = {
  GET: ['csrf', 'providers', 'session'],
  POST: ['callback/credentials', 'signout'],
};

/** What a sign-in with the configured provider asks for, the way back included. */
const USED_WITH_PROVIDER: typeof USED = { GET: ['callback/oidc', 'error', 'signin'], POST: ['signin/oidc'] };

const HEADERS = { 'Cache-Control': 'private, no-store' };

function refused(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}

/** Signs in and out, and tells who is signed in. */
async function handler(request: Request, context: Context): Promise<Response> {
  const path = (await context.params).nextauth.join('/');
  const withProvider = oidcSettings() !== null;
  const methods = Object.keys(USED).filter(
    (method) => USED[method]?.includes(path) || (withProvider && USED_WITH_PROVIDER[method]?.includes(path)),
  );
  if (methods.length === 0) return refused(404);
  if (!methods.includes(request.method)) return refused(405, { Allow: methods.join(', ') });
  if (!(await isReadable(request))) return refused(400);
  return NextAuth(authOptions())(request, context) as Promise<Response>;
}

/** next-auth fails on a body of JSON that is none; its own client announces JSON where it sends no body at all. */
async function isReadable(request: Request): Promise<boolean> {
  if (request.method === 'GET' || !request.headers.get('content-type')?.includes('json')) return true;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null;
}

export { handler as GET, handler as POST };
