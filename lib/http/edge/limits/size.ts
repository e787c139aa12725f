import type { IncomingMessage } from 'node:http';
import { MAX_PATH } from '../target';

const MAX_QUERY = 2 * 1024;
/** An identity provider's authorization code can be as long as a token. */
const MAX_CALLBACK_QUERY = 4 * 1024;
const CALLS = '/api/trpc/';
const CALLBACK = '/api/auth/callback/oidc';
const MAX_HEADER_LINES = 100;

const ORDINARY_BODY = 16 * 1024;
/** A request with the longest allowed policy is several times smaller. */
const CALL_BODY = 256 * 1024;
/**
 * For an import or a calendar, which the browser compresses, and a request from Inngest, which contains the results of
 * earlier steps.
 */
const LARGE_BODY = 4 * 1024 * 1024;

export type TooLarge = { status: 411 | 413 | 414 | 431; text: string; json?: true };

/** The response is JSON, because requests with a body come from programs, such as the script of a page. */
const CONTENT_TOO_LARGE = JSON.stringify({ error: { message: 'The body is too large.' } });

/**
 * Returns the refusal of a path, query, or headers that are too large outside the partner API, or null. Next.js would
 * take seconds for 60 KB of query parameters or thousands of header lines.
 */
export function oversizedHead(target: string, path: string, rawHeaders: readonly string[]): TooLarge | null {
  const query = target.length - path.length - 1;
  if (path.length > MAX_PATH || query > (path === CALLBACK ? MAX_CALLBACK_QUERY : MAX_QUERY))
    return { status: 414, text: 'URI Too Long' };
  // `rawHeaders` has two elements per header line: the name and the value.
  if (callsIn(path).length > MAX_CALLS) return { status: 413, text: TOO_MANY_CALLS, json: true };
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return { status: 431, text: 'Request Header Fields Too Large' };
  return null;
}

export const CALLS_OF_BATCH = 1;
/** The pages of the Control Center send at most ten. */
export const MAX_CALLS = 10;
const TOO_MANY_CALLS = JSON.stringify({ error: { message: `A batch must contain at most ${MAX_CALLS} calls.` } });

/** Returns whether a path is the path of a tRPC request. */
export function isCall(path: string): boolean {
  return path.startsWith(CALLS);
}

function callsIn(path: string): string[] {
  return isCall(path) ? path.slice(CALLS.length).replaceAll(/%2c/gi, ',').split(',') : [];
}

const WITH_DOCUMENT = /^((catalog|bookings)\.transfer\.|calendars\.upload$)/;

/** Returns the maximum number of body bytes outside the partner API. `inngest`: whether Inngest sends requests here. */
export function maximumBody(path: string, inngest: boolean): number {
  const calls = callsIn(path);
  if (calls.length > 0) {
    return calls.every((call) => WITH_DOCUMENT.test(call)) ? LARGE_BODY : CALL_BODY;
  }
  return inngest && path === '/api/inngest' ? LARGE_BODY : ORDINARY_BODY;
}

/**
 * Returns the refusal of a body that is too large or has no announced length, or null. Next.js reads a whole body into
 * memory. A proxy that buffers requests announces the length.
 */
export function refusedBody({ headers }: Pick<IncomingMessage, 'headers'>, maximum: number): TooLarge | null {
  if (headers['transfer-encoding'] !== undefined) return { status: 411, text: 'Length Required' };
  return Number(headers['content-length'] ?? 0) > maximum ? { status: 413, text: CONTENT_TOO_LARGE, json: true } : null;
}
