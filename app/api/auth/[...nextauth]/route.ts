import NextAuth from 'next-auth';
import { authOptions } from '@/app/_session';
import { oidcSettings } from '@/lib/platform/env';

type Context = { params: Promise<{ nextauth: string[] }> };

/** Without those that need an OpenID provider. All others, such as most pages of next-auth, respond with 404. */
const ROUTES: Record<string, readonly string[]> = {
  GET: ['csrf', 'providers', 'session'],
  POST: ['callback/credentials', 'callback/second-step', 'signout'],
};

const PROVIDER_ROUTES: typeof ROUTES = { GET: ['callback/oidc', 'error', 'signin'], POST: ['signin/oidc'] };

const HEADERS = { 'Cache-Control': 'private, no-store' };

function refused(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { ...HEADERS, ...headers } });
}

/** Passes requests for available routes to next-auth. Refuses all other requests. */
async function handler(request: Request, context: Context): Promise<Response> {
  const path = (await context.params).nextauth.join('/');
  const withProvider = oidcSettings() !== null;
  const methods = Object.keys(ROUTES).filter(
    (method) => ROUTES[method]?.includes(path) || (withProvider && PROVIDER_ROUTES[method]?.includes(path)),
  );
  if (methods.length === 0) return refused(404);
  if (!methods.includes(request.method)) return refused(405, { Allow: methods.join(', ') });
  if (!isReadable(request)) return refused(400);
  return NextAuth(authOptions())(request, context) as Promise<Response>;
}

/** Returns whether the request is a GET, or a POST with a URL-encoded form. Our pages send no other requests. */
function isReadable({ method, headers }: Request): boolean {
  if (method === 'GET') return true;
  return /^application\/x-www-form-urlencoded *(;|$)/i.test(headers.get('content-type') ?? '');
}

export { handler as GET, handler as POST };
