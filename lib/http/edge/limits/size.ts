import type { IncomingMessage } from 'node:http';
import { MAX_PATH } from '../target';

/** Maximum query characters outside the partner API. */
const MAX_QUERY = 2 * 1024;
/**
 * Maximum number of query characters of the sign-in callback. It is higher than `MAX_QUERY`, because an identity
 * provider's authorization code can be as long as a token.
 */
const MAX_CALLBACK_QUERY = 4 * 1024;
/** The path of a tRPC request ends with the names of its calls, with commas between them. */
const CALLS = '/api/trpc/';
const CALLBACK = '/api/auth/callback/oidc';
/** Maximum number of header lines of a request outside the partner API. */
const MAX_HEADER_LINES = 100;

/** Maximum number of body bytes outside the partner API, for routes without a specific limit. */
const ORDINARY_BODY = 16 * 1024;
/** Maximum body bytes of a tRPC request. A request with the longest allowed policy is several times smaller. */
const CALL_BODY = 256 * 1024;
/**
 * Maximum body bytes of a catalog import, and of a request from Inngest, which contains the results of earlier steps.
 */
const LARGE_BODY = 4 * 1024 * 1024;

/** The response to a request that is or may be too large. Such a request does not reach Next.js. */
export type TooLarge = { status: 411 | 413 | 414 | 431; text: string; json?: true };

/** The response is JSON, because requests with a body come from programs, such as the script of a page. */
const CONTENT_TOO_LARGE = JSON.stringify({ error: { message: 'The body is too large.' } });

/**
 * Returns the response to a request whose path, query, or headers are too large for a route outside the partner API.
 * Returns null if they are not. Next.js would take seconds for 60 KB of query parameters or thousands of header lines.
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

/** Maximum number of calls of one batch that run at the same time. */
export const CALLS_OF_BATCH = 1;
/** Maximum number of calls in one tRPC request. The pages of the Control Center send at most ten. */
export const MAX_CALLS = 10;
const TOO_MANY_CALLS = JSON.stringify({ error: { message: `A batch must contain at most ${MAX_CALLS} calls.` } });

/** Returns whether a path is the path of a tRPC request. */
export function isCall(path: string): boolean {
  return path.startsWith(CALLS);
}

/** Returns the names of the calls in a tRPC request, or an empty list for any other path. */
function callsIn(path: string): string[] {
  return isCall(path) ? path.slice(CALLS.length).replaceAll(/%2c/gi, ',').split(',') : [];
}

/**
 * Returns the maximum number of bytes in the body of a request to a path outside the partner API.
 * @param inngest whether Inngest sends requests to this server.
 */
export function maximumBody(path: string, inngest: boolean): number {
  const calls = callsIn(path);
  if (calls.length > 0) {
    // The smallest of the limits of the calls applies.
    return calls.every((call) => call.startsWith('catalog.transfer.')) ? LARGE_BODY : CALL_BODY;
  }
  return inngest && path === '/api/inngest' ? LARGE_BODY : ORDINARY_BODY;
}

/**
 * Returns the response to a request whose body is larger than `maximum` bytes or does not announce its length, otherwise
 * null. Next.js reads the whole body into memory, so its length must be known before. A proxy that buffers requests
 * announces it.
 */
export function refusedBody({ headers }: Pick<IncomingMessage, 'headers'>, maximum: number): TooLarge | null {
  if (headers['transfer-encoding'] !== undefined) return { status: 411, text: 'Length Required' };
  return Number(headers['content-length'] ?? 0) > maximum ? { status: 413, text: CONTENT_TOO_LARGE, json: true } : null;
}
