import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownSession } from '@/lib/access/owners/known-sessions';
import { networkOf } from '@/lib/platform/rate-limit/network';
import type { Edge, Exchange } from './exchange';
import { setTrustedHeaders } from './headers';
import { countAttempt, isAttempt, refuseAttempt } from './limits/attempts';
import { whenSignedIn } from './limits/calls';
import { whenPageMayRun } from './limits/pages';
import { maximumBody, oversizedHead, refusedBody } from './limits/size';
import { securePage } from './page-security';
import { respondDirectly } from './partner';
import { isProgramAstray, isUnknownApi, wrongBase } from './program';
import { refuseOutside } from './refusal';
import { isDecodable, isDisguisedOperatorPath, operatorPathAt, pathOf } from './target';

/** Responds to a request outside the partner API: refuses it, calls a health check or the metrics, or calls Next.js. */
export async function respondWithPage(edge: Edge, exchange: Exchange, target: string): Promise<void> {
  const { req, res, method, address } = exchange;
  const path = pathOf(target);
  // First, because it deletes every header of the edge that the client sent.
  setTrustedHeaders(req.headers, { method, target, address }, edge.trustedProxies > 0);
  securePage(exchange, path);
  const refused = refusalOf(edge, req, target, path);
  if (refused) return sendText(res, refused);
  if (method === 'TRACE') {
    // Next.js fails on TRACE, because the Fetch standard forbids this method.
    return sendText(res.setHeader('Allow', 'GET, HEAD, POST'), { status: 405, text: 'Method Not Allowed' });
  }
  if (isUnknownApi(path) || isProgramAstray(path, req.headers)) return refuseOutside(exchange, wrongBase());
  req.url = target;
  const wait = isAttempt(method, path) ? await countAttempt(address) : null;
  if (wait !== null) return refuseAttempt(res, wait);
  const operatorPath = operatorPathAt(method, path);
  // Health checks and metrics do not take turns, because they must work during an overload. Through Next.js, a flood of
  // them would delay partner requests.
  if (operatorPath) return respondDirectly(edge, exchange, edge.operatorRoutes[operatorPath], target);
  // A session counts only if this process has checked its cookie. Otherwise, an attacker could count as a new client by
  // sending a new cookie with each request.
  const client = knownSession(req.headers.cookie) ?? networkOf(address);
  await whenSignedIn(req, { path, address }, res, () => whenPageMayRun(client, path, res, () => edge.next(req, res)));
}

function refusalOf(edge: Edge, req: IncomingMessage, target: string, path: string): EdgeText | null {
  const tooLarge = oversizedHead(target, path, req.rawHeaders) ?? refusedBody(req, maximumBody(path, edge.inngest));
  if (tooLarge) return tooLarge;
  if (!isDecodable(path)) return { status: 400, text: 'Bad Request' };
  return isDisguisedOperatorPath(path) ? { status: 404, text: '' } : null;
}

export type EdgeText = { status: number; text: string; json?: true };

/** Sends a short response without Next.js. */
export function sendText(res: ServerResponse, { status, text, json }: EdgeText): void {
  const type = json ? 'application/json' : 'text/plain';
  res.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
  res.end(text);
}
