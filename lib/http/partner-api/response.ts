import type { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** The parts of a response, from which a `Response` is built or bytes for a socket. */
export type ResponseParts<Body = string> = { status: number; headers: Record<string, string>; body: Body };

/** Serialized JSON, whole or in pieces. Pieces that many responses share are bytes, encoded once. */
export type Data = string | readonly (string | Buffer)[];

/** Returns the headers of every response (contract A). */
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
  };
}

/** Seconds until a client may retry after a 503. */
const RETRY_UNAVAILABLE = 2;

/** Returns a response with serialized data in the success envelope (contract A). */
export function successResponse(
  requestId: string,
  quota: Quota,
  status: number,
  data: Data,
  more?: Record<string, string>,
): ResponseParts<Buffer<ArrayBuffer>> {
  const pieces = typeof data === 'string' ? [data] : data;
  const meta = `,"meta":{"request_id":"${requestId}","version":"v1"}}`;
  return {
    status,
    headers: Object.assign(commonHeaders(requestId, quota), more),
    body: Buffer.concat(['{"data":', ...pieces, meta].map(bytesOf)),
  };
}

function bytesOf(piece: string | Buffer): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece;
}

/** Returns the error response for an error (contract B3). */
export function errorResponse(error: AppError, requestId: string, quota: Quota): ResponseParts {
  const headers = commonHeaders(requestId, quota);
  if (error.status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (error.allow) headers.Allow = error.allow.join(', ');
  if (error.status === 429) headers['Retry-After'] = String(error.retryAfter ?? quota.retryAfter);
  if (error.status === 503) headers['Retry-After'] = String(error.retryAfter ?? RETRY_UNAVAILABLE);
  const { code, message, reason, fields } = error;
  const body = {
    error: { code, message, reason, fields, doc_url: `${env().origin}/docs/errors/${code}` },
    meta: { request_id: requestId, version: 'v1' },
  };
  return { status: error.status, headers, body: JSON.stringify(body) };
}
