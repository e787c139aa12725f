import type { OperationId } from '@/lib/contract/operations';
import { knownPath } from '../partner-api/admission';

/** Characters. Every longer path is refused, so `isArea` reads no further. */
export const MAX_PATH = 2 * 1024;

export type PartnerRouteId = OperationId | 'unknown';

/** Removes scheme and host from an absolute target, so that Next.js trusts no host that the client chose. */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 47 /* / */) return target;
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!absolute) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the path of an origin-form target. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/**
 * Returns the route of the partner API that a request reaches, or null (contract B2: no redirects, no normalization).
 * Every other spelling goes to the catch-all route, so a path that Next.js parses differently exposes no route.
 */
export function partnerRouteAt(method: string, path: string): PartnerRouteId | null {
  return knownPath(path)?.operations.get(method) ?? (isPartnerArea(path) ? 'unknown' : null);
}

/**
 * Returns whether any parser (Next.js, a proxy, a URL library) could read a raw path as a partner API path. Parsers
 * differ on escapes, backslashes, doubled slashes, and dot segments. Such a path counts if it contains `api` and,
 * later, `partner`.
 */
export function isPartnerArea(path: string): boolean {
  return path.charCodeAt(0) !== 47 || isArea(path, PARTNER);
}

/** Returns whether a raw path is another spelling of an operator's path. A proxy blocks only the documented ones. */
export function isDisguisedOperatorPath(path: string): boolean {
  return !OPERATOR_PATHS.has(path) && isArea(path, OPERATOR);
}

export type OperatorPath = '/api/metrics' | '/api/health' | '/api/health/live';

const OPERATOR_PATHS: ReadonlySet<string> = new Set<OperatorPath>(['/api/metrics', '/api/health', '/api/health/live']);

/** Returns the path of the operator's route that a request reaches, or null. */
export function operatorPathAt(method: string, path: string): OperatorPath | null {
  return (method === 'GET' || method === 'HEAD') && OPERATOR_PATHS.has(path) ? (path as OperatorPath) : null;
}

function isArea(path: string, area: Area): boolean {
  const start = path.slice(0, MAX_PATH);
  const text = normalize(start);
  if (!AMBIGUOUS.test(start) && !start.startsWith('/_next/data/'))
    return text.startsWith('/api') && area.plain.test(text.slice(4));
  // Two searches take linear time. A single regular expression would backtrack on `/api/api/api`.
  const api = text.indexOf('/api/');
  return api >= 0 && area.anywhere.test(text.slice(api + 4));
}

/** Two parsers could read such a path in different ways. Next.js maps `/_next/data/` to pages, so `isArea` adds it. */
const AMBIGUOUS = /[%\\]|\/\/|\/\.|[^!-~]/;

type Area = { plain: RegExp; anywhere: RegExp };

// Excludes characters that would continue the name: `/api/partner;x` matches, `/api/partners` does not.
const PARTNER: Area = { plain: /^\/partner(?![a-z0-9_-])/, anywhere: /\/partner(?![a-z0-9_-])/ };
const OPERATOR: Area = {
  plain: /^\/(?:metrics|health)(?![a-z0-9_-])/,
  anywhere: /\/(?:metrics|health)(?![a-z0-9_-])/,
};

/** Applies, in linear time, every normalization that a parser might apply. */
function normalize(path: string): string {
  return (path.includes('%') ? decodeNested(path) : path)
    .replace(/[\p{Cc} ]/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}

/** One pass decodes even nested escapes: `%2561` becomes `a`. */
function decodeNested(path: string): string {
  const codes: number[] = [];
  for (let i = 0; i < path.length; i++) {
    codes.push(path.charCodeAt(i));
    for (let byte = lastEscape(codes); byte >= 0; byte = lastEscape(codes)) codes.splice(-3, 3, byte);
  }
  return String.fromCharCode(...codes);
}

function lastEscape(codes: readonly number[]): number {
  const { length } = codes;
  if (length < 3 || codes[length - 3] !== 37 /* % */) return -1;
  const high = hexDigit(codes[length - 2]);
  const low = hexDigit(codes[length - 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Returns whether the percent-encoding of a path is valid. Next.js throws an error if it is not. */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}
