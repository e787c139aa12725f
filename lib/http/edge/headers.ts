import type { IncomingHttpHeaders } from 'node:http';
import { cookieNames } from '@/lib/access/owners/cookies';
import { EDGE_HEADERS } from '../partner-api/call';
import { ownCookies } from './limits/cookies';

/** The values that the edge determined for a request and passes to the application. */
export type TrustedValues = { method: string; target: string; address: string };

/** Headers that only proxies set; without a trusted proxy they are forged. */
const FORWARDING = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']);

/** Internal headers of Next. From a client, they could skip middleware or change routing and rendering. */
const ALWAYS_INTERNAL = /^(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

function isInternal(name: string, partner: boolean): boolean {
  if (name.startsWith('x-')) {
    return ALWAYS_INTERNAL.test(name.slice(2)) || (partner && name.startsWith('x-next'));
  }
  // Pages of the Control Center need these for navigation; the partner API ignores them.
  return partner && (name === 'rsc' || name.startsWith('next-'));
}

/** The headers of a partner request that are read. */
const READ = new Set([
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'origin',
  'transfer-encoding',
  'user-agent',
  'x-forwarded-for',
]);
/** Header lines up to which a partner request keeps the headers that nothing reads. */
const KEPT_LINES = 100;

/** Deletes the headers that nothing reads if a partner request has many: Next copies every header several times. */
export function dropUnread(headers: IncomingHttpHeaders, rawHeaders: readonly string[]): void {
  // Each line is a name and a value.
  if (rawHeaders.length <= 2 * KEPT_LINES) return;
  for (const name in headers) if (!READ.has(name)) delete headers[name];
}

/**
 * Overwrites the edge's own headers and X-Forwarded-For, and deletes Next's internal headers, all cookies but those of
 * the Control Center, and, without a trusted proxy, the forwarding headers.
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
  // A partner's server has no cookies.
  const cookies = partner || !headers.cookie ? undefined : ownCookies(headers.cookie, cookieNames());
  if (cookies === undefined) delete headers.cookie;
  else headers.cookie = cookies;
  headers[EDGE_HEADERS.method] = trusted.method;
  headers[EDGE_HEADERS.target] = trusted.target;
  headers[EDGE_HEADERS.address] = trusted.address;
  headers['x-forwarded-for'] = trusted.address;
  // Node joins repeated headers with ", ". If the last value is empty, the trailing space is the only sign of the
  // repetition, and `Headers` trims it: the repeated key would look like a single key that ends with a comma.
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key.endsWith(' ')) headers['idempotency-key'] = `${key},`;
  // A request without Host is valid (contract B2), but Next builds URLs from the header.
  headers.host ??= 'localhost';
}
