import type { ErrorCode, ErrorDetail, ErrorReason, WebhookEvent } from '@/lib/contract/client';

/** The settings of a client. All durations are in milliseconds. */
export type ClientOptions = {
  /** The base URL of the API, such as `https://host/api/partner/v1`. */
  baseUrl: string;
  /** The API key. Load it from a secret store, and never use it in a browser. */
  apiKey: string;
  /** The maximum duration of one request, including its response, in milliseconds. Default: 15,000. */
  timeout?: number;
  /** The maximum duration of one call, including its retries and waits, in milliseconds. Default: 60,000. */
  maxDuration?: number;
  /** The maximum number of requests per call. Default: 6. */
  maxAttempts?: number;
  /** Called after each request, for example to log its outcome. `response` never contains the API key. */
  onResponse?: (response: ResponseInfo) => void;
  /** Replaces the global `fetch`, for example to use a proxy or in a test. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** The outcome of one request, without the body of the response. `status` is 0 if there was no complete response. */
export type ResponseInfo = {
  method: string;
  path: string;
  status: number;
  requestId: string | null;
  /** Whether the response is the stored response to an earlier, identical write. */
  replayed: boolean;
  /** The number of the request within its call. The first request is 1. */
  attempt: number;
};

/** The error of a failed call. Branch on its class, `code`, and `reason`, and log its `requestId`. */
export class PartnerError extends Error {
  override name = 'PartnerError';
  /** The HTTP status. 0 if there was no complete response. */
  status = 0;
  /**
   * The error code. The client adds codes: `unknown` for a response that is not from the API, `redirected`, and for no
   * complete response `connection_refused`, `name_not_found`, `tls_failed`, or else `no_response`.
   */
  code: ErrorCode | 'unknown' | 'redirected' | 'connection_refused' | 'name_not_found' | 'tls_failed' | 'no_response' =
    'no_response';
  /** The word that narrows the code. Treat an unknown reason like null. */
  reason: ErrorReason | null = null;
  /** The invalid fields. Empty unless the code is `invalid_request`. */
  fields: ErrorDetail['fields'] = [];
  requestId: string | null = null;
  /** Seconds to wait before a retry, or 0 if the response states none. */
  retryAfter = 0;
}

/**
 * There was no complete response. The outcome of a write is unknown: repeat the write with the same idempotency key.
 */
export class NoResponseError extends PartnerError {
  override name = 'NoResponseError';
}

/** 401, or 429 with the reason `failed_authentication`: the key is not accepted. Stop, and replace the key. */
export class AuthenticationError extends PartnerError {
  override name = 'AuthenticationError';
}

/** 403: the application lacks a scope or is restricted. Stop, and ask the owner to change the policy. */
export class ForbiddenError extends PartnerError {
  override name = 'ForbiddenError';
}

/** 400 or 405: correct the request. */
export class InvalidRequestError extends PartnerError {
  override name = 'InvalidRequestError';
}

/** 404: the application has no such record. */
export class NotFoundError extends PartnerError {
  override name = 'NotFoundError';
}

/**
 * 409: the request conflicts with the current state, for example because the slot is taken, the version is out of date,
 * or the idempotency key was reused.
 */
export class ConflictError extends PartnerError {
  override name = 'ConflictError';
}

/** 429: the quota was still exceeded after all retries. */
export class RateLimitError extends PartnerError {
  override name = 'RateLimitError';
}

/**
 * 5xx, or a response that is not from the API, for example from a proxy. The client has already repeated the request. The
 * outcome of a write is unknown: repeat the write with the same idempotency key.
 */
export class UnavailableError extends PartnerError {
  override name = 'UnavailableError';
}

/** Thrown for a webhook that is malformed or not authentic, or whose timestamp is not current. Respond with 400. */
export class WebhookError extends Error {
  override name = 'WebhookError';
}

/** The parts of a request. */
export type Sent = { query?: object; body?: object; idempotencyKey?: string };
/** Sends a request, and retries it after a temporary failure. Returns the data of the response. */
export type Send = <Data>(method: 'GET' | 'POST', path: string, sent?: Sent) => Promise<Data>;

// region retry
/** Returns the function that sends a client's requests. */
export function transport(options: ClientOptions): Send {
  const { maxDuration = 60_000, maxAttempts = 6 } = options;
  return async <Data>(method: 'GET' | 'POST', path: string, sent: Sent = {}) => {
    const deadline = Date.now() + maxDuration;
    for (let attempt = 1; ; attempt += 1) {
      const result = await exchange(options, method, path, sent, attempt, deadline);
      if (!(result instanceof PartnerError)) return result.data as Data;
      const { status, code } = result;
      // After a 5xx or a body that is not from the API, the outcome of a write is uncertain. An invalid key stays
      // invalid: a retry would only count as another failed authentication.
      const temporary =
        (['no_response', 'connection_refused', 'unknown'].includes(code) || status === 429 || status >= 500) &&
        !(result instanceof AuthenticationError);
      const most = code === 'connection_refused' ? Math.min(3, maxAttempts) : maxAttempts;
      const backoff = 500 * 2 ** (attempt - 1);
      const wait = Math.max(result.retryAfter * 1000, backoff) + Math.random() * backoff;
      if (!temporary || attempt >= most || Date.now() + wait >= deadline) throw result;
      // A retry sends the same idempotency key, so a write that has already succeeded is replayed, not repeated.
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  };
}
// endregion retry

/** Sends a request once. Returns the parsed body on success, otherwise the error. */
async function exchange(
  options: ClientOptions,
  method: string,
  path: string,
  { query = {}, body, idempotencyKey }: Sent,
  attempt: number,
  deadline: number,
): Promise<{ data: unknown } | PartnerError> {
  const { baseUrl, apiKey, timeout = 15_000, fetch = globalThis.fetch, onResponse } = options;
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // `new Request` would quote an invalid key in its error.
  const key = apiKey.trim();
  if (!/^[!-~]+$/.test(key)) throw new TypeError('apiKey is empty or has characters that a header must not have.');
  const headers: Record<string, string> = { Authorization: `Bearer ${key}`, Accept: 'application/json' };
  if (body) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  const init: RequestInit = { method, headers, redirect: 'manual', ...(body && { body: JSON.stringify(body) }) };
  // For a request that can never be sent, for example because the idempotency key contains an invalid character,
  // `new Request` throws a TypeError.
  if (!/^https?:\/\//.test(baseUrl)) throw new TypeError('baseUrl must start with http:// or https://.');
  const { url } = new Request(baseUrl.replace(/\/$/, '') + path + (search && `?${search}`), init);
  const info = { method, path, status: 0, requestId: null as string | null, replayed: false, attempt };
  let text: string;
  let response: Response;
  try {
    const signal = AbortSignal.timeout(Math.max(1, Math.min(timeout, deadline - Date.now())));
    response = await fetch(url, { ...init, signal });
    text = await response.text();
  } catch (cause) {
    onResponse?.(info);
    return noResponse(cause);
  }
  info.status = response.status;
  info.requestId = response.headers.get('X-Request-Id');
  info.replayed = response.headers.get('Idempotent-Replayed') === 'true';
  onResponse?.(info);
  const { data, error } = parse(text);
  return response.ok && data ? { data } : errorOf(response, response.ok ? undefined : error);
}

/** The causes that the messages of errors can name, as codes and words of Node.js, Deno, and Bun. */
const CAUSES = [
  ['no_response', /TimeoutError|ETIMEDOUT|TIMEOUT|timed out/, 'There was no complete response in time.'],
  ['connection_refused', /ECONNREFUSED|connection ?refused/i, 'The connection was refused: check the base URL.'],
  ['name_not_found', /ENOTFOUND|name or service not known/i, 'The host name was not found: check the base URL.'],
  [
    'tls_failed',
    /ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_|certificate/i,
    'The TLS connection failed: check the base URL and the certificate.',
  ],
] as const;

/** Returns the error of a request without a complete response. Its message states the cause. */
function noResponse(cause: unknown): NoResponseError {
  const chain = [cause, cause instanceof Error ? cause.cause : null].filter((one) => one instanceof Error);
  const words = chain.map((one) => `${one.name} ${'code' in one ? String(one.code) : ''} ${one.message}`).join(' ');
  const [code, , message] = CAUSES.find(([, pattern]) => pattern.test(words)) ?? [];
  const lost = `There was no complete response: ${chain.at(-1)?.message.slice(0, 200) || 'the connection was lost'}.`;
  return Object.assign(new NoResponseError(message ?? lost), { code: code ?? 'no_response', cause });
}

type Envelope = { data?: unknown; error?: Partial<ErrorDetail> | null; meta?: { request_id?: unknown } | null };

/**
 * Parses a body. Returns neither data nor an error if the body is not from the API, but for example from a proxy. Every
 * body of the API has a request id.
 */
function parse(text: string): { data?: object; error?: ErrorDetail } {
  try {
    const { data, error, meta } = (JSON.parse(text) ?? {}) as Envelope;
    if (!String(meta?.request_id).startsWith('req_')) return {};
    const isData = typeof data === 'object' && data !== null && !Array.isArray(data);
    return { ...(isData && { data }), ...(isError(error) && { error }) };
  } catch {
    return {};
  }
}

function isError(error: Partial<ErrorDetail> | null | undefined): error is ErrorDetail {
  const { code, message, reason = null, fields } = error ?? {};
  const texts = [code, message, reason ?? ''].every((text) => typeof text === 'string');
  return texts && /^[a-z_]+$/.test(code ?? '') && Array.isArray(fields) && fields.every(isField);
}

function isField(field: Partial<ErrorDetail['fields'][number]> | null): boolean {
  return typeof field?.path === 'string' && typeof field.message === 'string';
}

function classOf(status: number, reason: string | null): new (message: string) => PartnerError {
  if (status === 401 || reason === 'failed_authentication') return AuthenticationError;
  if (status === 403) return ForbiddenError;
  if (status === 404) return NotFoundError;
  if (status === 409) return ConflictError;
  if (status === 429) return RateLimitError;
  if (status === 400 || status === 405) return InvalidRequestError;
  return status >= 500 ? UnavailableError : PartnerError;
}

function errorOf({ type, status, headers }: Response, error: ErrorDetail | undefined): PartnerError {
  const redirected = type === 'opaqueredirect' || (status >= 300 && status < 400);
  if (redirected) {
    const message = 'The API never redirects: check the base URL.';
    return Object.assign(new PartnerError(message), { status, code: 'redirected' as const });
  }
  const seconds = Number(headers.get('Retry-After') ?? 0);
  const details = {
    status,
    requestId: headers.get('X-Request-Id'),
    retryAfter: Number.isFinite(seconds) ? Math.max(0, seconds) : 0,
  };
  if (!error) {
    const message = `The response is not from the API (status ${status}): check the base URL.`;
    return Object.assign(new UnavailableError(message), { ...details, code: 'unknown' as const });
  }
  const { code, message, reason, fields } = error;
  return Object.assign(new (classOf(status, reason))(message), { ...details, code, reason, fields });
}

/** Maximum number of pages to read. */
const MAX_PAGES = 10_000;

/**
 * Reads a list page by page: `for await (const { slots } of pages(client.listAvailability, query))`. Each page holds
 * the records of one response.
 */
export async function* pages<
  Query extends { cursor?: string | undefined } | undefined,
  Page extends { next_cursor: string | null },
>(list: (query: Query) => Promise<Page>, query: NonNullable<Query>): AsyncGenerator<Page, void, undefined> {
  let cursor = query.cursor;
  for (let count = 0; count < MAX_PAGES; count += 1) {
    const page = await list(cursor === undefined ? query : { ...query, cursor });
    yield page;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** The headers of a request, as a `Headers` object or as Node.js provides them (`request.headers`). */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>;

// region webhook
/**
 * Verifies a webhook's signature and returns its event. `body` must be the raw body, not a parsed one. During a
 * rotation, pass both the old and the new secret. `now` is in seconds since the Unix epoch.
 * @throws WebhookError if a header is missing or malformed, if the timestamp differs from `now` by more than five
 *   minutes, or if no signature is valid
 * @throws TypeError if a secret is malformed
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now: number = Date.now() / 1000,
): Promise<WebhookEvent> {
  const headerOf = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const [id, sent] = [headerOf('webhook-id'), headerOf('webhook-timestamp')];
  if (!id || !/^\d{1,12}$/.test(sent)) throw new WebhookError('A header is missing or malformed.');
  if (Math.abs(now - Number(sent)) > 300) throw new WebhookError('The timestamp is too old or in the future.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${sent}.${text}`);
  const { subtle } = await webCrypto();
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ''));
    if (!bytes?.length) throw new TypeError('A webhook secret must be whsec_ followed by base64.');
    const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // A webhook has one signature for each valid secret of the endpoint, at most five. At most ten are checked, so that
    // a forged header with many signatures takes little time.
    for (const one of headerOf('webhook-signature').split(' ').slice(0, 10)) {
      const signature = one.startsWith('v1,') ? fromBase64(one.slice(3)) : null;
      // `verify` compares in constant time.
      if (signature && (await subtle.verify('HMAC', key, signature, signed))) return JSON.parse(text) as WebhookEvent;
    }
  }
  throw new WebhookError('No signature is valid.');
}
// endregion webhook

function fromBase64(text: string) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Returns the Web Crypto API. It is imported if there is no global `crypto`, as in Node.js 18. */
async function webCrypto(): Promise<Crypto> {
  const module: string = 'node:crypto';
  return globalThis.crypto ?? ((await import(module)) as { webcrypto: Crypto }).webcrypto;
}
