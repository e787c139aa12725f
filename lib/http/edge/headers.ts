import type { IncomingHttpHeaders } from 'node:http';
import { EDGE_HEADERS } from '../partner-api/call';

/** What the edge knows about a request and hands to the application. */
export type Handover = { method: string; target: string; address: string };

/** Headers of proxies; without a trusted proxy they are a client's invention. */
const FORWARDING = new Set(['forwarded', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto', 'x-real-ip']);

/** Headers by which Next talks to itself: from outside they skip middleware, change what is matched or rendered. */
const ALWAYS_INTERNAL = /^(?:edge-|middleware-|invoke-|matched-path|now-route-matches|prerender-)/;

function isInternal(name: string, partner: boolean): boolean {
  if (name.startsWith('x-')) {
    return ALWAYS_INTERNAL.test(name.slice(2)) || (partner && name.startsWith('x-next'));
  }
  // The owner's pages need these for navigation; the partner API answers JSON whatever they say.
  return partner && (name === 'rsc' || name.startsWith('next-'));
}

/**
 * Replaces what a client may have forged by what the edge knows: its own headers and X-Forwarded-For are overwritten,
 * internal ones of Next dropped, and with no trusted proxy also what only a proxy may say.
 */
export function handOver(headers: IncomingHttpHeaders, known: Handover, partner: boolean, proxied: boolean): void {
  for (const name in headers) {
    if (isInternal(name, partner) || (!proxied && FORWARDING.has(name))) delete headers[name];
  }
  headers[EDGE_HEADERS.method] = known.method;
  headers[EDGE_HEADERS.target] = known.target;
  headers[EDGE_HEADERS.address] = known.address;
  headers['x-forwarded-for'] = known.address;
  // Node joins a repeated header with a comma and a space. Of an empty last value only that space tells, and the
  // application's headers come without it: a repeated key must not look like one key that ends with a comma.
  const key = headers['idempotency-key'];
  if (typeof key === 'string' && key.endsWith(' ')) headers['idempotency-key'] = `${key},`;
  // A request without Host is served like any other (contract B2); Next builds addresses from it.
  headers.host ??= 'localhost';
}
