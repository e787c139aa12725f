import { matchPath } from '@/lib/contract/routing';

/** The path of Next's route that answers every partner request which no other route may see. */
export const UNKNOWN_ROUTE = '/api/partner/v1/unknown-route';

/**
 * Where a request goes: `known` to the route of its path, `refused` to the partner API's catch-all, `elsewhere` to
 * the rest of the application.
 */
export type Passage = 'known' | 'refused' | 'elsewhere';

/**
 * Returns a request target in origin form. The absolute form (`GET http://host/path`) loses its authority, so that
 * Next never takes a client's word for the host; what is neither form (`*`, `host:port`) stays as it is.
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === 47 /* / */) return target;
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!absolute) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Returns the raw path of an origin-form target: everything before the query. */
export function pathOf(target: string): string {
  const mark = target.indexOf('?');
  return mark < 0 ? target : target.slice(0, mark);
}

/**
 * Decides on the raw method and path who answers (contract B2: no redirects, no normalisation). Only a literal known
 * path with its own method reaches that path's route; every other spelling of the partner area, and every target that
 * is no path at all, is refused by the catch-all. So no difference between our reading of a path and Next's can open
 * a route.
 */
export function passageOf(method: string, path: string): Passage {
  const known = matchPath(path);
  if (known) return known.methods.includes(method) ? 'known' : 'refused';
  return isPartnerArea(path) ? 'refused' : 'elsewhere';
}

/**
 * Tells whether some reading of a raw path, by Next, a proxy or a URL parser, lies in the partner area. A plain path
 * has one reading. Of a disguised one (escapes, backslashes, doubled slashes, dot segments) readers differ in what
 * they undo and in which order, so every path that has both names of the area, in order, is ours.
 */
export function isPartnerArea(path: string): boolean {
  if (path.charCodeAt(0) !== 47) return true;
  const text = readably(path);
  if (!DISGUISE.test(path) && !path.startsWith('/_next/data/'))
    return text.startsWith('/api') && PARTNER.test(text.slice(4));
  // In two steps, each linear: one expression for both would backtrack for seconds on 64 KiB of `/api/api/api`.
  const api = text.indexOf('/api/');
  return api >= 0 && PARTNER_ANYWHERE.test(text.slice(api + 4));
}

/** Next's data paths count: it maps them back onto the paths they name. */
const DISGUISE = /[%\\]|\/\/|\/\.|[^!-~]/;

// The boundary is any character that could not continue a name: `/api/partner;x` is ours, `/api/partners` is not.
const PARTNER = /^\/partner(?![a-z0-9_-])/;
const PARTNER_ANYWHERE = /\/partner(?![a-z0-9_-])/;

/** Undoes what any reader would undo: escapes (also doubled ones), backslashes, case, control characters. */
function readably(path: string): string {
  let text = path;
  for (let round = 0; round < 3 && text.includes('%'); round++) {
    text = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return text
    .replace(/[\p{Cc} ]/gu, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}

/** Tells whether the percent-encoding of a path can be read; Next would fail on one that cannot. */
export function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path).length > 0;
  } catch {
    return false;
  }
}
