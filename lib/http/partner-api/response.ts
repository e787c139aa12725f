import { LRUCache } from 'lru-cache';
import type { Policy } from '@/lib/access/applications/policy';
import type { ServicesPage } from '@/lib/booking/catalog/snapshot';
import type { Deprecations } from '@/lib/contract/deprecations';
import type { AppError } from '@/lib/contract/errors/app-error';
import type { Operation, OperationId, SuccessStatus } from '@/lib/contract/operations';
import { answerToken } from '@/lib/platform/answer-token';
import { env } from '@/lib/platform/env';
import { type Quota, WINDOW } from '@/lib/platform/rate-limit/rate-limit';
import { tokenKeyFor } from '@/lib/platform/secrets';
import { refundUnchanged } from './admission';
import { type Call, headerOf } from './call';
import { type CursorScope, writeCursor } from './cursor';

/** They become a `Response`, or are written to a socket. */
export type ResponseParts<Body = string> = {
  status: number;
  headers: Record<string, string>;
  body: Body;
  /** The connection is closed without a response (contract B13). */
  lost?: true;
};

/** JSON, possibly in pieces. A piece that many responses share is a Buffer, encoded once. */
export type Data = string | readonly (string | Buffer)[];

export type Result = {
  /** 304 has no body (contract B17). */
  status?: SuccessStatus | 304;
  data: Data;
  headers?: Record<string, string>;
  /** Whether the log entry was written in the write's transaction. */
  logged?: boolean;
  /** Closes the connection without a response. Only the sandbox sets this (contract B13). */
  lost?: true;
};

/** The headers of all responses (contract A). */
function commonHeaders(requestId: string, quota: Quota): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'Cache-Control': 'private, no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-RateLimit-Limit': String(quota.limit),
    'X-RateLimit-Remaining': String(quota.remaining),
    'X-RateLimit-Reset': String(quota.reset),
    'RateLimit-Policy': `"${quota.policy}";q=${quota.limit};w=${WINDOW}`,
    RateLimit: `"${quota.policy}";r=${quota.remaining};t=${quota.retryAfter}`,
  };
}

/** Returns the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` of an operation's responses, if it is deprecated. */
export function deprecationHeaders(
  id: OperationId,
  origin: string,
  deprecations: Deprecations,
): Record<string, string> {
  const found = deprecations[id];
  if (!found) return {};
  const { deprecated, sunset } = found;
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecated) / 1000)}`,
    ...(sunset !== null && { Sunset: new Date(sunset).toUTCString() }),
    Link: `<${origin}/docs/changelog>; rel="deprecation"; type="text/html"`,
  };
}

const RETRY_UNAVAILABLE_SECONDS = 2;

/** Returns a response with the success envelope around the given JSON (contract A). */
export function successResponse(
  requestId: string,
  quota: Quota,
  status: number,
  data: Data,
  more?: Record<string, string>,
): ResponseParts<Buffer<ArrayBuffer>> {
  if (status === 304) return unchangedResponse(requestId, quota, more);
  const pieces = typeof data === 'string' ? [data] : data;
  return {
    status,
    headers: Object.assign(commonHeaders(requestId, quota), more),
    body: Buffer.concat(['{"data":', ...pieces, `,${metaOf(requestId)}`].map(bytesOf)),
  };
}

/** Returns a 304. It describes no body, so it has no type and no length. */
function unchangedResponse(requestId: string, quota: Quota, more?: Record<string, string>) {
  const { 'Content-Type': _, ...headers } = commonHeaders(requestId, quota);
  return { status: 304, headers: { ...headers, ...more }, body: Buffer.alloc(0) };
}

function bytesOf(piece: string | Buffer): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/** Returns the response for an error (contract B3). */
export function errorResponse(error: AppError, requestId: string, quota: Quota): ResponseParts {
  const headers = commonHeaders(requestId, quota);
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.status === 429) headers['Retry-After'] = String(error.retryAfter ?? quota.retryAfter);
  if (error.status === 503) headers['Retry-After'] = String(error.retryAfter ?? RETRY_UNAVAILABLE_SECONDS);
  return { status: error.status, headers, body: `{"error":${jsonOf(error)},${metaOf(requestId)}` };
}

function jsonOf({ code, message, reason, fields }: AppError): string {
  return JSON.stringify({ code, message, reason, fields, doc_url: `${env().origin}/docs/errors/${code}` });
}

function metaOf(requestId: string): string {
  return `"meta":{"request_id":"${requestId}","version":"v1"}}`;
}

/** Characters. A longer If-None-Match is ignored. */
const MAX_HEADER = 4_000;

type Question = { operation: Operation; query: { min_token?: string }; locale: string | null };

type Answer = Question & {
  /** The members of `data`, as JSON without the braces. */
  members: readonly (string | Buffer)[];
  headers?: Record<string, string>;
  /** As how many requests this one was counted. */
  cost?: number;
};

/**
 * Returns the result of a read with its token in the body and in `ETag`, or a 304 if the caller holds the same answer
 * (contract B17). The token is computed from the whole answer, so a 304 is true however the answer could have changed.
 */
export async function tokenResult(call: Call, policy: Policy, answer: Answer): Promise<Result> {
  const { members, headers, cost = 1 } = answer;
  const token = answerToken({ ...policy, operation: answer.operation.id, filters: filtersOf(answer) }, members);
  return resultOf(call, policy, { data: ['{', ...members, `,"token":"${token}"}`], token, headers, cost });
}

/** Of one page. Each takes about 500 bytes. */
const MAX_ENDS = 50;

/** The part of an answer after its page. */
type End = { text: string; token: string };

// Garbage-collected with the pages, and with the keys of a replaced secret.
const ends = new WeakMap<ServicesPage, WeakMap<Buffer, LRUCache<string, End>>>();

function endsOf(page: ServicesPage): LRUCache<string, End> {
  const key = tokenKeyFor('answer');
  const byKey = ends.get(page) ?? new WeakMap<Buffer, LRUCache<string, End>>();
  ends.set(page, byKey);
  const known = byKey.get(key) ?? new LRUCache<string, End>({ max: MAX_ENDS });
  byKey.set(key, known);
  return known;
}

/**
 * Like `tokenResult`, for a cached page. The cursor and the token of an application and a query are computed once per page,
 * because they would take longer than everything else.
 */
export async function pageResult(
  call: Call,
  policy: Policy,
  { scope, page, ...question }: Question & { scope: CursorScope; page: ServicesPage },
): Promise<Result> {
  const filters = filtersOf(question);
  const known = endsOf(page);
  const key = `${policy.applicationId} ${filters}`;
  let end = known.get(key);
  if (end === undefined) {
    const token = answerToken({ ...policy, operation: question.operation.id, filters }, [page.digest]);
    const next = page.last === null ? 'null' : `"${writeCursor(scope, page.last)}"`;
    end = { text: `,"next_cursor":${next},"token":"${token}"}`, token };
    known.set(key, end);
  }
  const headers = { 'Content-Language': page.languages };
  return resultOf(call, policy, { data: ['{', page.json, end.text], token: end.token, headers, cost: 1 });
}

function filtersOf({ query: { min_token: _, ...filters }, locale }: Question): string {
  return JSON.stringify([filters, locale]);
}

type Made = { data: (string | Buffer)[]; token: string; headers: Record<string, string> | undefined; cost: number };

async function resultOf(call: Call, policy: Policy, { data, token, headers, cost }: Made): Promise<Result> {
  const tag = { ETag: `W/"${token}"` };
  if (!holds(headerOf(call, 'if-none-match'), token)) return { data, headers: { ...headers, ...tag } };
  await refundUnchanged(call, policy, cost);
  return { status: 304, data: '', headers: tag };
}

/** Returns whether an If-None-Match header has the token. As RFC 9110 states, the comparison is weak, and `*` fits. */
function holds(header: string | null, token: string): boolean {
  if (header === null || header.length > MAX_HEADER) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${token}"`);
}
