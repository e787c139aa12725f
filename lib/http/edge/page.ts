import type { ServerResponse } from 'node:http';
import { knownSession } from '@/lib/access/owners/known-sessions';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { hasBody, limitBody } from './body';
import type { Edge, Exchange } from './exchange';
import { guardResponse } from './guard';
import { setTrustedHeaders } from './headers';
import { countAttempt, isAttempt, refuseAttempt } from './limits/attempts';
import { headBytes } from './limits/heads';
import { type PageClient, whenPageMayRun } from './limits/pages';
import { countedCalls, oversizedBody, oversizedHead, type TooLarge } from './limits/size';
import { securePage } from './page-security';
import { respondDirectly } from './partner';
import { receiveBody } from './receive-body';
import { isDecodable, isDisguisedOperatorPath, operatorPathAt, pathOf } from './target';

/** The maximum number of bytes in a request body if the `Edge` has no `maximumBody`. */
const MAX_BODY = 4 * 1024 * 1024;

/**
 * Responds to a request outside the partner API. Limits the size of the body, overwrites headers that a client could
 * forge, and calls Next.js. Calls the routes of the health checks and the metrics directly. Refuses a request that is
 * too large or has a forbidden path or method. Also refuses a sign-in or another attempt to gain access if the client's
 * network has made too many attempts (see `countAttempt`).
 */
export async function respondWithPage(edge: Edge, exchange: Exchange, target: string): Promise<void> {
  const { req, res, method, address } = exchange;
  const path = pathOf(target);
  guardResponse(edge, exchange);
  const tooLarge = oversized(edge, exchange, target, path);
  const client = clientOf(edge, exchange, path);
  const body = hasBody(exchange) && !tooLarge ? receiveBody(exchange, client) : 0;
  if (hasBody(exchange)) limitBody(exchange, tooLarge ? 0 : (edge.maximumBody?.(path) ?? MAX_BODY));
  setTrustedHeaders(req.headers, { method, target, address }, false, edge.trustedProxies > 0);
  securePage(exchange, path);
  if (tooLarge) return sendText(res, tooLarge);
  if (!isDecodable(path)) return sendText(res, { status: 400, text: 'Bad Request' });
  if (isDisguisedOperatorPath(path)) return sendText(res, { status: 404, text: '' });
  if (method === 'TRACE' || method === 'CONNECT') {
    // Next.js fails on TRACE and CONNECT, because the Fetch standard forbids both methods.
    return sendText(res.setHeader('Allow', 'GET, HEAD, POST'), { status: 405, text: 'Method Not Allowed' });
  }
  req.url = target;
  const wait = isAttempt(method, path) ? await countAttempt(address) : null;
  const bodyBytes = wait === null ? await body : 0;
  if (exchange.replaced || res.headersSent || res.destroyed || req.socket.destroyed) return;
  if (wait !== null) return refuseAttempt(res, wait);
  const operatorPath = operatorPathAt(method, path);
  const respond = operatorPath === null ? undefined : edge.operatorRoutes?.[operatorPath];
  // Health checks and metrics do not take turns, because they must work during an overload. Through Next.js, a flood of
  // them would delay partner requests.
  if (respond) return respondDirectly(edge, exchange, respond, target);
  const bytes = headBytes(req) + bodyBytes;
  await whenPageMayRun({ client, path, bytes, calls: countedCalls(path) }, res, () => edge.next(req, res));
}

/**
 * Returns the client of a request: the signed-in session, or the network. A session counts only if this process has
 * checked its cookie. Otherwise, an attacker could count as a new client by sending a new cookie with each request.
 */
function clientOf(edge: Edge, { req, method, address }: Exchange, path: string): PageClient {
  const session = knownSession(req.headers.cookie);
  if (session !== null) return { id: session, kind: 'session' };
  if (isAttempt(method, path)) return { id: networkOf(address), kind: 'attempt' };
  return { id: networkOf(address), kind: edge.inngest && path === '/api/inngest' ? 'inngest' : 'anonymous' };
}

function oversized(edge: Edge, { req }: Exchange, target: string, path: string): TooLarge | null {
  const head = oversizedHead(target, path, req.rawHeaders);
  if (head || !edge.maximumBody) return head;
  return oversizedBody(req.headers['content-length'], edge.maximumBody(path));
}

/** A response that the code in `lib/http/edge` creates itself, without Next.js. */
export type EdgeText = { status: number; text: string; json?: true };

/** Sends a short response without Next.js. */
export function sendText(res: ServerResponse, { status, text, json }: EdgeText): void {
  const type = json ? 'application/json' : 'text/plain';
  res.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
  res.end(text);
}
