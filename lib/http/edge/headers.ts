import type { IncomingHttpHeaders } from 'node:http';
import { cookieNames } from '@/lib/access/owners/cookies';
import { EDGE_HEADERS } from '../partner-api/call';
import { ownCookies } from './limits/cookies';

export type TrustedValues = { method: string; target: string; address: string };

/** Characters. Parsing a header of 60 KB takes 11 ms, and browsers send about 30 characters. */
export const MAX_ACCEPT_ENCODING = 200;

/** Only proxies set these headers, so they are forged if there is no trusted proxy. */
const FORWARDING = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']);

/** A client that could set these headers could skip middleware, or change routing and rendering. */
const INTERNAL = /^x-(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

/** Sets the headers of the edge, and deletes those that a client must not set or that cost Next.js too much. */
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
