import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { cookieName } from '@/lib/access/owners/cookies';
import { knownSession } from '@/lib/access/owners/known-sessions';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { type Edge, type Exchange, respondDirectly } from './exchange';
import { setTrustedHeaders } from './headers';
import { countAttempt, isAttempt, refuseAttempt } from './limits/attempts';
import { whenSignedIn } from './limits/calls';
import { whenPageMayRun } from './limits/pages';
import { maximumBody, oversizedHead, refusedBody } from './limits/size';
import { refuseOutside } from './refusal';
import { isDecodable, isDisguisedOperatorPath, operatorPathAt, pathOf } from './target';

/** Responds to a request outside the partner API: refuses it, calls a health check or the metrics, or calls Next.js. */
export async function respondWithPage(edge: Edge, exchange: Exchange, target: string): Promise<void> {
  const { req, res, method, address } = exchange;
  const path = pathOf(target);
  // First, because it deletes every header of the edge that the client sent.
  setTrustedHeaders(req.headers, { target, address }, edge.trustedProxies > 0);
  securePage(exchange, path);
  const refused = refusedText(edge, req, target, path);
  if (refused) return sendText(res, refused);
  if (method === 'TRACE') {
    // Next.js fails on TRACE, because the Fetch standard forbids this method.
    return sendText(res.setHeader('Allow', 'GET, HEAD, POST'), { status: 405, text: 'Method Not Allowed' });
  }
  if (isUnknownApi(path) || isProgramAstray(path, req.headers)) return refuseOutside(exchange, wrongBase());
  // No page takes a form. Next.js would look for its action, and log an error with a stack.
  if (!path.startsWith('/api/') && method !== 'GET' && method !== 'HEAD')
    return sendText(res.setHeader('Allow', 'GET, HEAD'), { status: 405, text: 'Method Not Allowed' });
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

function refusedText(edge: Edge, req: IncomingMessage, target: string, path: string): EdgeText | null {
  const tooLarge = oversizedHead(target, path, req.rawHeaders) ?? refusedBody(req, maximumBody(path, edge.inngest));
  if (tooLarge) return tooLarge;
  if (!isDecodable(path)) return { status: 400, text: 'Bad Request' };
  return isDisguisedOperatorPath(path) ? { status: 404, text: '' } : null;
}

type EdgeText = { status: number; text: string; json?: true };

/** Sends a short response without Next.js. */
export function sendText(res: ServerResponse, { status, text, json }: EdgeText): void {
  const type = json ? 'application/json' : 'text/plain';
  res.writeHead(status, { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': 'no-store' });
  res.end(text);
}

const FIXED = {
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

/** Allows only scripts with the nonce and what they load, and this origin (architecture 8). */
function policyWith(nonce: string): string {
  // Hot reloading, which runs only in development, uses `eval`.
  const evaluated = process.env.NODE_ENV === 'production' ? '' : " 'unsafe-eval'";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${evaluated}`,
    // Mantine sets its CSS variables in inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The documentation has no inline scripts or styles. */
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

function isDocs(path: string): boolean {
  return path === '/docs' || path.startsWith('/docs/');
}

/** Sets the security headers of a page, and passes the nonce to Next.js in request headers. */
export function securePage({ req, res }: Exchange, path: string): void {
  const nonce = randomBytes(16).toString('base64');
  const policy = isDocs(path) ? DOCS_POLICY : policyWith(nonce);
  req.headers['content-security-policy'] = policy;
  req.headers['x-edge-nonce'] = nonce;
  res.setHeader('Content-Security-Policy', policy);
  for (const [name, value] of Object.entries(FIXED)) res.setHeader(name, value);
  const { origin, HSTS_SUBDOMAINS } = env();
  const subdomains = HSTS_SUBDOMAINS === '1' ? '; includeSubDomains' : '';
  if (origin.startsWith('https:')) res.setHeader('Strict-Transport-Security', `max-age=31536000${subdomains}`);
}

/** Paths that answer programs themselves, or that a person opens by a link. `/__nextjs` exists only in development. */
const ANSWERED = /^\/(?:(?:docs|api|_next|sign-in|join|invite|password|email|setup|unsubscribe)(?![^/])|__nextjs)/;

/** What answers under `/api`, beside the partner API. */
export const API_FOLDERS = [
  'auth',
  'bench',
  'calendar',
  'control-center',
  'email',
  'health',
  'inngest',
  'invite',
  'metrics',
  'password',
  'second-step',
  'setup',
  'trpc',
  'unsubscribe',
];
const ANSWERING = API_FOLDERS.filter((folder) => folder !== 'bench' || process.env.BENCH === '1');
const API = new RegExp(`^/api(?:/(?!(?:${ANSWERING.join('|')})(?:/|$))|$)`);

/** Returns whether nothing under `/api` answers a path, as with a wrong version of the base path. */
export function isUnknownApi(path: string): boolean {
  return API.test(path);
}

/**
 * Returns whether a request comes from a program with a wrong base path. Such a request must not be led to the sign-in
 * page: a program that follows the redirect would take that page for an answer (contract B2).
 */
function isProgramAstray(path: string, headers: IncomingHttpHeaders): boolean {
  return !ANSWERED.test(path) && !ROOT_PATHS.has(path) && isProgram(headers);
}

function isProgram({ authorization, accept = '', cookie = '', rsc }: IncomingHttpHeaders): boolean {
  if (cookie.includes(`${cookieName('session')}=`)) return false;
  if (accept.includes('text/html')) {
    // A proxy in front of a staging system can require a password, which browsers then send with each request.
    return authorization !== undefined && !/^basic /i.test(authorization);
  }
  // The script of a page loads further pages with this header, and without `text/html`.
  return rsc === undefined;
}

function wrongBase(): AppError {
  return new AppError('not_found', { reason: 'unknown_route' });
}
