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
 * Matches the names of headers that only the edge or Next.js may set. A client that could set the headers of Next.js
 * could skip middleware or change routing and rendering.
 */
const INTERNAL = /^x-(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

/**
 * Sets the headers of the edge from `trusted`. Deletes internal headers of Next.js, cookies that the Control Center
 * does not use, and an Accept-Encoding header that is too long. If `proxied` is false, also deletes the headers in
 * `FORWARDING`.
 */
export function setTrustedHeaders(headers: IncomingHttpHeaders, trusted: TrustedValues, proxied: boolean): void {
  for (const name in headers) {
    if (INTERNAL.test(name) || (!proxied && FORWARDING.has(name))) delete headers[name];
  }
  if (String(headers['accept-encoding'] ?? '').length > MAX_ACCEPT_ENCODING) delete headers['accept-encoding'];
  const cookies = headers.cookie && ownCookies(headers.cookie, cookieNames());
  if (cookies) headers.cookie = cookies;
  else delete headers.cookie;
  headers[EDGE_HEADERS.method] = trusted.method;
  headers[EDGE_HEADERS.target] = trusted.target;
  headers[EDGE_HEADERS.address] = trusted.address;
  headers['x-forwarded-for'] = trusted.address;
  // A request without a Host header is valid (contract B2), but Next.js needs one to build URLs.
  headers.host ??= 'localhost';
}
