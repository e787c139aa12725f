import { STATUS_CODES } from 'node:http';
import { countRequest } from '@/lib/activity/metrics/counters';
import { writeLogEntry } from '@/lib/activity/request-log/buffer';
import { mayLogRefusal } from '@/lib/activity/request-log/refusals';
import type { AppError } from '@/lib/contract/errors/app-error';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { failureQuota, type Quota } from '@/lib/platform/rate-limit/rate-limit';
import { errorResponse, type ResponseParts } from '../partner-api/response';
import type { Exchange } from './exchange';

type RefusedRequest = { method: string; address: string; begun: number };

/** Sends an error as the response (contract A, B3), unless a response has started. */
export async function refuse(exchange: Exchange, error: AppError): Promise<void> {
  if (exchange.replaced || exchange.res.headersSent) return;
  exchange.replaced = true;
  send(exchange, await refusal(exchange, error));
}

/** Sends an error as the response to a request outside the API, which is neither logged nor counted (contract B2). */
export async function refuseOutside(exchange: Exchange, error: AppError): Promise<void> {
  const quota = await failureQuotaOrDefault(exchange.address, Date.now());
  send(exchange, errorResponse(error, newId('req'), quota));
}

function send({ req, res }: Exchange, { status, headers, body }: ResponseParts): void {
  if (res.headersSent || res.destroyed) return;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  const closing = req.complete ? {} : { Connection: 'close' };
  res.writeHead(status, { ...headers, ...closing, 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
}

/** Returns the text of an error response for a request that Node could not parse (contract B2). */
export async function rawRefusal(address: string, error: AppError): Promise<string> {
  const { status, headers, body } = await refusal({ method: '-', address, begun: performance.now() }, error);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push(`Date: ${new Date().toUTCString()}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function refusal(refused: RefusedRequest, error: AppError): Promise<ResponseParts> {
  const requestId = newId('req');
  const now = new Date();
  const quota = await failureQuotaOrDefault(refused.address, now.getTime());
  const response = errorResponse(error, requestId, quota);
  countRequest({ ...refused, route: null }, response.status, error);
  if (mayLogRefusal(refused.address)) logRefusal(refused, requestId, now, response.status, error);
  return response;
}

// The log entry contains no headers and no path, because the request was not parsed or not authenticated.
function logRefusal(refused: RefusedRequest, requestId: string, now: Date, status: number, error: AppError): void {
  writeLogEntry({
    request_id: requestId,
    at: now.toISOString(),
    tenant_id: null,
    application_id: null,
    key_id: null,
    method: refused.method,
    route: null,
    path: null,
    status,
    code: error.code,
    reason: null,
    invalid_fields: [],
    duration_ms: performance.now() - refused.begun,
    address: null,
    origin: null,
    user_agent: null,
    idempotency_key_hash: null,
    replayed_from: null,
    booking_reference: null,
    external_reference: null,
    refused: null,
  });
}

/** The rate limiter's store can be unavailable. */
async function failureQuotaOrDefault(address: string, now: number): Promise<Quota> {
  try {
    return await failureQuota(address);
  } catch (error) {
    log().error({ err: error }, 'could not read the failure quota');
    return {
      policy: 'address',
      limit: 0,
      remaining: 0,
      reset: Math.ceil(now / 1000) + 1,
      retryAfter: 1,
      exceeded: false,
    };
  }
}
