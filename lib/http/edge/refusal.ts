import { ServerResponse, STATUS_CODES } from 'node:http';
import { countRequest } from '@/lib/activity/metrics/counters';
import { writeLine } from '@/lib/activity/request-log/buffer';
import type { AppError } from '@/lib/contract/errors/app-error';
import { newId } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { failureQuota, type Quota } from '@/lib/platform/rate-limit/rate-limit';
import { type Answer, errorAnswer } from '../partner-api/answer';
import type { Exchange } from './exchange';

type Refused = { method: string; address: string; begun: number };

/**
 * Answers an exchange in the application's place (contract A, B3), unless an answer has begun. What the application
 * had set so far is dropped; what it still writes goes nowhere.
 */
export async function refuse(exchange: Exchange, error: AppError): Promise<void> {
  if (exchange.taken || exchange.res.headersSent) return;
  exchange.taken = true;
  const answer = await refusal(exchange, error);
  const { res } = exchange;
  if (res.headersSent || res.destroyed) return;
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  if (!exchange.req.complete) res.shouldKeepAlive = false;
  // The prototype's own methods: those of the instance are muted, and compression may have wrapped them.
  const length = Buffer.byteLength(answer.body);
  ServerResponse.prototype.writeHead.call(res, answer.status, { ...answer.headers, 'Content-Length': length });
  Reflect.apply(ServerResponse.prototype.end, res, [answer.body]);
}

/** Returns a refusal as bytes for a connection on which Node could parse no request (contract B2). */
export async function rawRefusal(address: string, error: AppError): Promise<string> {
  const { status, headers, body } = await refusal({ method: '-', address, begun: performance.now() }, error);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push(`Date: ${new Date().toUTCString()}`, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function refusal(refused: Refused, error: AppError): Promise<Answer> {
  const requestId = newId('req');
  const now = new Date();
  const quota = await quotaOf(refused.address, now.getTime());
  const answer = errorAnswer(error, requestId, quota);
  countRequest({ ...refused, route: null }, answer.status, error);
  // Nothing that the client sent is logged: it could not be parsed, or nobody authenticated it.
  writeLine({
    request_id: requestId,
    at: now.toISOString(),
    tenant_id: null,
    application_id: null,
    key_id: null,
    method: refused.method,
    route: null,
    path: null,
    status: answer.status,
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
  });
  return answer;
}

/** The quota that the headers report; an answer is owed even while the store of the limiter is away. */
async function quotaOf(address: string, now: number): Promise<Quota> {
  try {
    return await failureQuota(address);
  } catch (error) {
    log().error({ err: error }, 'the failure quota could not be read');
    return { limit: 0, remaining: 0, reset: Math.ceil(now / 1000) + 1, retryAfter: 1, exceeded: false };
  }
}
