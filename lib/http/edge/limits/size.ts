/** Maximum characters of the path, and of the query, of a request outside the partner API. */
const MAX_TARGET_PART = 2 * 1024;
/** Maximum query of the sign-in callback. The provider's code in it may be a whole token. */
const MAX_CALLBACK_QUERY = 4 * 1024;
const CALLBACK = '/api/auth/callback/oidc';
/** Maximum header lines of a request outside the partner API. */
const MAX_HEADER_LINES = 100;

/** Maximum bytes of a body for routes outside the partner API that have no other limit below. */
const ORDINARY_BODY = 16 * 1024;
/** A call of the Control Center: ten times the longest policy. */
const CALL_BODY = 256 * 1024;
/** A catalog import, or a call of Inngest with the results of earlier steps. */
const LARGE_BODY = 4 * 1024 * 1024;

/** The response to a request that is too large, sent before anything parses it. */
export type TooLarge = { status: 413 | 414 | 431; text: string };

/** Scripts send bodies, so the response to a body that is too large is JSON. */
const CONTENT_TOO_LARGE = JSON.stringify({ error: { message: 'The body is too large.' } });

/**
 * Returns the response to a request outside the partner API whose target or header is too large, or null. Next needs
 * seconds for 60 KB of query parameters and for thousands of header lines.
 */
export function oversizedHead(target: string, path: string, rawHeaders: readonly string[]): TooLarge | null {
  const query = target.length - path.length - 1;
  if (path.length > MAX_TARGET_PART || query > (path === CALLBACK ? MAX_CALLBACK_QUERY : MAX_TARGET_PART))
    return { status: 414, text: 'URI Too Long' };
  // Each line is a name and a value.
  if (rawHeaders.length > 2 * MAX_HEADER_LINES) return { status: 431, text: 'Request Header Fields Too Large' };
  return null;
}

/**
 * Returns the maximum size of a request body on a path outside the partner API, in bytes.
 * @param inngest whether Inngest runs the jobs and calls this server.
 */
export function maximumBody(path: string, inngest: boolean): number {
  if (path.startsWith('/api/trpc/')) {
    // A batch may be as large as the smallest of its calls.
    const calls = path.slice('/api/trpc/'.length).replaceAll(/%2c/gi, ',').split(',');
    return calls.every((call) => call.startsWith('catalog.transfer.')) ? LARGE_BODY : CALL_BODY;
  }
  return inngest && path === '/api/inngest' ? LARGE_BODY : ORDINARY_BODY;
}

/** Returns the response to a request that announces a larger body than `maximum` bytes, or null. */
export function oversizedBody(announced: string | undefined, maximum: number): TooLarge | null {
  return Number(announced ?? 0) > maximum ? { status: 413, text: CONTENT_TOO_LARGE } : null;
}
