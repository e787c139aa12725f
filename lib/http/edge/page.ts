import type { ServerResponse } from 'node:http';
import { hasBody, limitBody } from './body';
import type { Edge, Exchange } from './exchange';
import { guardResponse } from './guard';
import { setTrustedHeaders } from './headers';
import { countAttempt, isAttempt, refuseAttempt } from './limits/attempts';
import { whenPageMayRun } from './limits/pages';
import { oversizedBody, oversizedHead, type TooLarge } from './limits/size';
import { securePage } from './page-security';
import { isDecodable, pathOf } from './target';

/** Maximum number of body bytes that are passed to Next.js if the `Edge` has no `maximumBody`. */
const MAX_BODY = 4 * 1024 * 1024;

/**
 * Responds to a request outside the partner API. Refuses a request that is too large for Next.js. Otherwise, limits the
 * body, overwrites headers that a client could forge, and passes the request to Next.js.
 */
export async function respondWithPage(edge: Edge, exchange: Exchange, target: string): Promise<void> {
  const { req, res, method, address } = exchange;
  const path = pathOf(target);
  guardResponse(edge, exchange);
  const tooLarge = oversized(edge, exchange, target, path);
  if (hasBody(exchange)) limitBody(exchange, tooLarge ? 0 : (edge.maximumBody?.(path) ?? MAX_BODY));
  setTrustedHeaders(req.headers, { method, target, address }, false, edge.trustedProxies > 0);
  securePage(exchange, path);
  if (tooLarge) return sendText(res, tooLarge.status, tooLarge.text);
  if (!isDecodable(path)) return sendText(res, 400, 'Bad Request');
  req.url = target;
  const wait = isAttempt(method, path) ? await countAttempt(address) : null;
  if (res.destroyed) return;
  if (wait === null) await whenPageMayRun(clientOf(exchange), path, res, () => edge.next(req, res));
  else refuseAttempt(res, wait);
}

/**
 * Identifies the client of a request. Requests of the same client take turns. Cookies take precedence over the address,
 * so that signed-in users with the same address count as different clients.
 */
function clientOf({ req, address }: Exchange): string {
  return req.headers.cookie ?? address;
}

function oversized(edge: Edge, { req }: Exchange, target: string, path: string): TooLarge | null {
  const head = oversizedHead(target, path, req.rawHeaders);
  if (head || !edge.maximumBody) return head;
  return oversizedBody(req.headers['content-length'], edge.maximumBody(path));
}

/** Sends a response that the edge itself has created. If `text` starts with a brace, the content type is JSON. */
export function sendText(res: ServerResponse, status: number, text: string): void {
  const type = text.startsWith('{') ? 'application/json' : 'text/plain';
  res.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
  res.end(text);
}
