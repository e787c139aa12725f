import type { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';
import { WINDOW } from '@/lib/platform/rate-limit/store';

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

/** Seconds. */
const RETRY_UNAVAILABLE = 2;

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
  if (error.status === 503) headers['Retry-After'] = String(error.retryAfter ?? RETRY_UNAVAILABLE);
  return { status: error.status, headers, body: `{"error":${jsonOf(error)},${metaOf(requestId)}` };
}

function jsonOf({ code, message, reason, fields }: AppError): string {
  return JSON.stringify({ code, message, reason, fields, doc_url: `${env().origin}/docs/errors/${code}` });
}

function metaOf(requestId: string): string {
  return `"meta":{"request_id":"${requestId}","version":"v1"}}`;
}
