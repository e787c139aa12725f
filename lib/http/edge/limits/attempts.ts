import type { ServerResponse } from 'node:http';
import { env } from '@/lib/platform/env';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';

/**
 * Maximum number of requests per minute and client network to the public routes for signing in, accepting an
 * invitation, and the first setup. The routes' own limits are lower, because the routes count only failed attempts.
 */
const PER_MINUTE = 120;

/**
 * Returns whether a request is an attempt to gain access: a sign-in, the acceptance of an invitation, or the first
 * setup.
 */
export function isAttempt(method: string, path: string): boolean {
  return method === 'POST' && (path.startsWith('/api/auth/') || path === '/api/invite' || path === '/api/setup');
}

/**
 * Counts an attempt against the network of an address. If there were too many attempts from this network within a
 * minute, returns the number of seconds to wait. Otherwise, returns null.
 */
export async function countAttempt(address: string): Promise<number | null> {
  const { exceeded, retryAfter } = await consumeAttempt(`access:${networkOf(address)}`, PER_MINUTE);
  return exceeded ? retryAfter : null;
}

/**
 * Refuses an attempt before its body is read. The response contains the field `url` for the next-auth client, and the
 * field `error` for the other pages.
 */
export function refuseAttempt(res: ServerResponse, retryAfter: number): void {
  const error = { code: 'rate_limited', fields: [], message: 'Too many attempts. Try again in a minute.' };
  res.writeHead(429, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': retryAfter,
  });
  res.end(JSON.stringify({ error, url: `${env().origin}/sign-in?error=rate_limited` }));
}
