import type { ServerResponse } from 'node:http';
import { env } from '@/lib/platform/env';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';

/** Attempts per client network and minute. Routes have lower limits, which count only failed attempts. */
const PER_MINUTE = 120;

const ATTEMPTS = new Set(['/api/email', '/api/invite', '/api/password', '/api/setup']);

/** Returns whether a request is a sign-in, the acceptance of an invitation, a mailed link, or the first setup. */
export function isAttempt(method: string, path: string): boolean {
  return method === 'POST' && (path.startsWith('/api/auth/') || ATTEMPTS.has(path));
}

/** Counts an attempt to gain access. Returns the seconds to wait if its network has made too many, otherwise null. */
export async function countAttempt(address: string): Promise<number | null> {
  const { exceeded, retryAfter } = await consumeAttempt(`access:${networkOf(address)}`, PER_MINUTE);
  return exceeded ? retryAfter : null;
}

/** Refuses an attempt before its body is read. `url` is for the next-auth client, and `error` for other callers. */
export function refuseAttempt(res: ServerResponse, retryAfter: number): void {
  const error = { code: 'rate_limited', fields: [], message: 'Too many attempts. Try again in a minute.' };
  res.writeHead(429, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'Retry-After': retryAfter,
  });
  res.end(JSON.stringify({ error, url: `${env().origin}/sign-in?error=rate_limited` }));
}
