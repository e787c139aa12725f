import type { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import type { Quota } from '@/lib/platform/rate-limit/rate-limit';

/** An answer before it becomes a Response or is written to a socket. */
export type Answer<Body = string> = { status: number; headers: Record<string, string>; body: Body };

/** Data that is JSON already, whole or in pieces; what is prepared once for many answers comes as bytes. */
export type Data = string | readonly (string | Buffer)[];

/** Returns the headers that every answer has (contract A). */
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

/** Seconds after which a 503 may be tried again. */
const RETRY_UNAVAILABLE = 2;

/** Returns the success envelope around data that is JSON already (contract A). */
export function successAnswer(
  requestId: string,
  quota: Quota,
  status: number,
  data: Data,
  more?: Record<string, string>,
): Answer<Buffer<ArrayBuffer>> {
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

/** Returns the refusal of the contract for an error (B3). */
export function errorAnswer(error: AppError, requestId: string, quota: Quota): Answer {
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
