import type { IncomingHttpHeaders } from 'node:http';
import { cookieNames } from '@/lib/access/owners/cookies';
import { EDGE_HEADERS } from '../partner-api/call';
import { ownCookies } from './limits/cookies';

/** Values that the edge has determined for a request. The edge passes them to Next.js in request headers. */
export type TrustedValues = { method: string; target: string; address: string };

/** Headers that only proxies set. Without a trusted proxy, the edge treats them as forged. */
const FORWARDING = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']);

/**
 * Matches the name of an internal header of the edge or of Next.js after the prefix `x-` has been removed. With the
 * headers of Next.js, a client could skip middleware or change routing and rendering.
 */
const ALWAYS_INTERNAL = /^(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

function isInternal(name: string, partner: boolean): boolean {
  if (name.startsWith('x-')) {
    return ALWAYS_INTERNAL.test(name.slice(2)) || (partner && name.startsWith('x-next'));
  }
  // Control Center pages need these headers for navigation. The partner API does not use them, so they count as
  // internal headers only in partner requests.
  return partner && (name === 'rsc' || name.startsWith('next-'));
}

/**
 * Overwrites X-Forwarded-For and the headers in which the edge passes trusted values. Deletes the internal headers of
 * Next.js, and all cookies except the cookies of the Control Center. Without a trusted proxy, also deletes the
 * forwarding headers.
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
  // Partner requests need no cookies.
  const cookies = partner || !headers.cookie ? undefined : ownCookies(headers.cookie, cookieNames());
  if (cookies === undefined) delete headers.cookie;
  else headers.cookie = cookies;
  headers[EDGE_HEADERS.method] = trusted.method;
  headers[EDGE_HEADERS.target] = trusted.target;
  headers[EDGE_HEADERS.address] = trusted.address;
  headers['x-forwarded-for'] = trusted.address;
  // Node joins repeated headers with ", ". If the last of two idempotency keys is empty, the joined value ends with a
  // comma and a space. The class `Headers` would remove the space, and the value would look like a single idempotency
  // key that ends with a comma. An appended comma keeps the space inside the value, so that the pipeline refuses the
  // value.
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key.endsWith(' ')) headers['idempotency-key'] = `${key},`;
  // A request without a Host header is valid (contract B2), but Next.js needs the header to build URLs.
  headers.host ??= 'localhost';
}
