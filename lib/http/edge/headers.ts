import type { IncomingHttpHeaders } from 'node:http';
import { cookieNames } from '@/lib/access/owners/cookies';
import { EDGE_HEADERS } from '../partner-api/call';
import { ownCookies } from './limits/cookies';

/** Values that the edge determines and passes to Next.js in request headers. */
export type TrustedValues = { method: string; target: string; address: string };

/**
 * Maximum number of characters of an Accept-Encoding header. A longer header is ignored, because parsing 60 KB of it
 * takes 11 ms. Browsers send about 30 characters.
 */
export const MAX_ACCEPT_ENCODING = 200;

/** Headers that only proxies set. If there is no trusted proxy, these headers are forged. */
const FORWARDING = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']);

/**
 * Matches the names of headers that only the edge or Next.js may set. The names lack their prefix `x-`. A client that
 * could set the headers of Next.js could skip middleware or change routing and rendering.
 */
const ALWAYS_INTERNAL = /^(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

function isInternal(name: string, partner: boolean): boolean {
  if (name.startsWith('x-')) {
    return ALWAYS_INTERNAL.test(name.slice(2)) || (partner && name.startsWith('x-next'));
  }
  // The pages of the Control Center send `rsc` and `next-*` for navigation, so these headers are deleted only from
  // partner requests.
  return partner && (name === 'rsc' || name.startsWith('next-'));
}

/**
 * Sets the headers of the edge from `trusted`. Deletes internal headers of Next.js, cookies that the Control Center
 * does not use, and an Accept-Encoding header that is too long. If `proxied` is false, also deletes the headers in
 * `FORWARDING`. If `partner` is true, deletes all cookies.
 */
export function setTrustedHeaders(
  headers: IncomingHttpHeaders,
  trusted: TrustedValues,
  partner: boolean,
  proxied: boolean,
): void {
  for (const name in headers) {
    if (isInternal(name, partner) || (!proxied && FORWARDING.has(name))) delete headers[name];
  }
  if (String(headers['accept-encoding'] ?? '').length > MAX_ACCEPT_ENCODING) delete headers['accept-encoding'];
  // Partner requests need no cookies.
  const cookies = partner || !headers.cookie ? undefined : ownCookies(headers.cookie, cookieNames());
  if (cookies === undefined) delete headers.cookie;
  else headers.cookie = cookies;
  headers[EDGE_HEADERS.method] = trusted.method;
  headers[EDGE_HEADERS.target] = trusted.target;
  headers[EDGE_HEADERS.address] = trusted.address;
  headers['x-forwarded-for'] = trusted.address;
  // A repeated Idempotency-Key header must be refused. Node joins repeated headers with ", ", and a value that contains
  // a space is refused later. If the second header is empty, the space is at the end, where the class `Headers` would
  // remove it. The comma that is appended here prevents that.
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key.endsWith(' ')) headers['idempotency-key'] = `${key},`;
  // A request without a Host header is valid (contract B2), but Next.js needs one to build URLs.
  headers.host ??= 'localhost';
}
