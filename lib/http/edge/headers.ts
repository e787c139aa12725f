import type { IncomingHttpHeaders } from 'node:http';
import { cookieNames } from '@/lib/access/owners/cookies';

/** The edge passes trusted values to Next.js in these headers, and overwrites them if a client sends them. */
export const EDGE_HEADERS = { target: 'x-edge-target', address: 'x-edge-address' } as const;

export type TrustedValues = { target: string; address: string };

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
  headers[EDGE_HEADERS.target] = trusted.target;
  headers[EDGE_HEADERS.address] = trusted.address;
  headers['x-forwarded-for'] = trusted.address;
  // A request without a Host header is valid (contract B2), but Next.js needs one to build URLs.
  headers.host ??= 'localhost';
}

/** Characters. */
const MAX_COOKIES = 4 * 1024;

/** Returns the cookies with these names, at most 4 KiB. Next.js serializes all cookies again for each cookie. */
export function ownCookies(header: string, names: ReadonlySet<string>): string | undefined {
  const missing = new Set(names);
  const own: string[] = [];
  let left = MAX_COOKIES;
  for (let start = 0; start < header.length && missing.size > 0; ) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon < 0 ? header.length : semicolon;
    const pair = header.slice(start, end).trim();
    start = end + 1;
    const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
    if (pair.length > left || !missing.delete(name)) continue;
    left -= pair.length;
    own.push(pair);
  }
  return own.length === 0 ? undefined : own.join('; ');
}
