/** Maximum length of the path, and of the query, of a request outside the partner API, in characters. */
const MAX_TARGET_PART = 2 * 1024;
/**
 * Maximum length of the query of the sign-in callback in characters. It is higher, because the code from the identity
 * provider may be a whole token.
 */
const MAX_CALLBACK_QUERY = 4 * 1024;
const CALLBACK = '/api/auth/callback/oidc';
/** Maximum number of header lines of a request outside the partner API. */
const MAX_HEADER_LINES = 100;

/** Maximum body size in bytes for routes outside the partner API without a limit of their own. */
const ORDINARY_BODY = 16 * 1024;
/** Maximum body size of a call of the Control Center in bytes. It is ten times the size of the longest policy. */
const CALL_BODY = 256 * 1024;
/**
 * Maximum body size in bytes of a catalog import, and of a request from Inngest, which contains the results of earlier
 * steps.
 */
const LARGE_BODY = 4 * 1024 * 1024;

/** The response to a request that is too large. It is sent before anything parses the request. */
export type TooLarge = { status: 413 | 414 | 431; text: string };

/** The response to a body that is too large. It is JSON, because bodies are sent by scripts. */
const CONTENT_TOO_LARGE = JSON.stringify({ error: { message: 'The body is too large.' } });

/**
 * Returns the response to a request outside the partner API whose target or headers are too large, or null if they are
 * not. Next would take seconds to process 60 KB of query parameters or thousands of header lines.
 */
export function oversizedHead(target: string, path: string, rawHeaders: readonly string[]): TooLarge | null {
  const query = target.length - path.length - 1;
  if (path.length > MAX_TARGET_PART || query > (path === CALLBACK ? MAX_CALLBACK_QUERY : MAX_TARGET_PART))
    return { status: 414, text: 'URI Too Long' };
  // `rawHeaders` has two elements per header line: the name and the value.
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return { status: 431, text: 'Request Header Fields Too Large' };
  return null;
}

/**
 * Returns the maximum body size in bytes for a path outside the partner API.
 * @param inngest whether this deployment uses Inngest, which then sends requests to this server.
 */
export function maximumBody(path: string, inngest: boolean): number {
  if (path.startsWith('/api/trpc/')) {
    // The maximum of a batch is the smallest maximum among its calls.
    const calls = path.slice('/api/trpc/'.length).replaceAll(/%2c/gi, ',').split(',');
    return calls.every((call) => call.startsWith('catalog.transfer.')) ? LARGE_BODY : CALL_BODY;
  }
  return inngest && path === '/api/inngest' ? LARGE_BODY : ORDINARY_BODY;
}

/** Returns the response to a request whose announced body is larger than `maximum` bytes, or null if it is not. */
export function oversizedBody(announced: string | undefined, maximum: number): TooLarge | null {
  return Number(announced ?? 0) > maximum ? { status: 413, text: CONTENT_TOO_LARGE } : null;
}
