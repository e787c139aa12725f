import type { OperationId } from '@/lib/contract/operations';
import { matchPath } from '@/lib/contract/routing';

/**
 * Maximum number of characters of a path outside the partner API. Every longer path is refused, so `isArea` reads no
 * further.
 */
export const MAX_PATH = 2 * 1024;

export type PartnerRouteId = OperationId | 'unknown';

/**
 * Removes the scheme and the host from the target of a request such as `GET http://host/path`, so that Next.js does not
 * trust a host that the client chose. Other targets (`/path`, `*`, `host:port`) stay unchanged.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 47 /* / */) return target;
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!absolute) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the path of an origin-form target: everything before the question mark. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/**
 * Returns the route of the partner API that a request reaches, or null for a path outside the partner API (contract
 * B2: no redirects, no normalization). Only the exact path and method of an operation reach its route. Every other
 * spelling goes to the catch-all route, so a path that Next.js parses differently cannot expose a route.
 */
export function partnerRouteAt(method: string, path: string): PartnerRouteId | null {
  return matchPath(path)?.operations.get(method) ?? (isPartnerArea(path) ? 'unknown' : null);
}

/**
 * Returns whether any parser (Next.js, a proxy, a URL library) could read a raw path as a partner API path. Parsers
 * agree on plain paths. They differ on ambiguous paths, which contain escapes, backslashes, doubled slashes, or dot
 * segments. An ambiguous path counts as a partner API path if it contains `api` and, anywhere later, `partner`.
 */
export function isPartnerArea(path: string): boolean {
  return path.charCodeAt(0) !== 47 || isArea(path, PARTNER);
}

/**
 * Returns whether a raw path is another spelling of an operator's path, such as `/api/metrics/`. Such spellings are
 * refused, so that a proxy needs to block only the documented paths.
 */
export function isDisguisedOperatorPath(path: string): boolean {
  return !OPERATOR_PATHS.has(path) && isArea(path, OPERATOR);
}

/** A path of the metrics or a health check. */
export type OperatorPath = '/api/metrics' | '/api/health' | '/api/health/live';

const OPERATOR_PATHS: ReadonlySet<string> = new Set<OperatorPath>(['/api/metrics', '/api/health', '/api/health/live']);

/** Returns the path of the operator's route that a request reaches, or null if it reaches none. */
export function operatorPathAt(method: string, path: string): OperatorPath | null {
  return (method === 'GET' || method === 'HEAD') && OPERATOR_PATHS.has(path) ? (path as OperatorPath) : null;
}

/** Returns whether any URL parser could read a raw path as a path in `area`. */
function isArea(path: string, area: Area): boolean {
  const start = path.slice(0, MAX_PATH);
  const text = normalize(start);
  if (!AMBIGUOUS.test(start) && !start.startsWith('/_next/data/'))
    return text.startsWith('/api') && area.plain.test(text.slice(4));
  // Two searches take linear time. A single regular expression would backtrack on `/api/api/api`.
  const api = text.indexOf('/api/');
  return api >= 0 && area.anywhere.test(text.slice(api + 4));
}

/**
 * Matches a path that two parsers could read in different ways. `isArea` also treats the data paths of Next.js
 * (`/_next/data/`) as ambiguous, because Next.js maps them to pages.
 */
const AMBIGUOUS = /[%\\]|\/\/|\/\.|[^!-~]/;

/**
 * Patterns for the part of a path after `/api`. `anywhere` is used for ambiguous paths (see `AMBIGUOUS`), and `plain`
 * for all other paths.
 */
type Area = { plain: RegExp; anywhere: RegExp };

// The negative lookahead excludes characters that would continue the name: `/api/partner;x` matches, `/api/partners`
// does not.
const PARTNER: Area = { plain: /^\/partner(?![a-z0-9_-])/, anywhere: /\/partner(?![a-z0-9_-])/ };
const OPERATOR: Area = {
  plain: /^\/(?:metrics|health)(?![a-z0-9_-])/,
  anywhere: /\/(?:metrics|health)(?![a-z0-9_-])/,
};

/**
 * Applies, in linear time, every normalization that a parser might apply. Decodes escapes (also nested escapes),
 * removes spaces and control characters, replaces backslashes with slashes, and converts to lowercase.
 */
function normalize(path: string): string {
  return (path.includes('%') ? decodeNested(path) : path)
    .replace(/[\p{Cc} ]/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}

/** Decodes percent escapes in one pass, even nested ones: `%2561` becomes `a`. Each byte becomes one character. */
function decodeNested(path: string): string {
  const codes: number[] = [];
  for (let i = 0; i < path.length; i++) {
    codes.push(path.charCodeAt(i));
    for (let byte = lastEscape(codes); byte >= 0; byte = lastEscape(codes)) codes.splice(-3, 3, byte);
  }
  return String.fromCharCode(...codes);
}

/** Returns the byte that the escape at the end of `codes` encodes, or -1 if `codes` does not end with an escape. */
function lastEscape(codes: readonly number[]): number {
  const { length } = codes;
  if (length < 3 || codes[length - 3] !== 37 /* % */) return -1;
  const high = hexDigit(codes[length - 2]);
  const low = hexDigit(codes[length - 1]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Returns the value of a hexadecimal digit, or -1 for any other character. */
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
