/** The API catalog (RFC 9727). */
export const API_CATALOG = '/.well-known/api-catalog';

/** Paths at the root of the host that redirect to the file that programs expect there. */
export const ROOT_REDIRECTS: ReadonlyMap<string, string> = new Map([['/openapi.json', '/docs/openapi.json']]);

/** The public paths at the root of the host. Programs look there without knowing this API. */
export const ROOT_PATHS: ReadonlySet<string> = new Set([
  '/llms.txt',
  '/llms-full.txt',
  '/robots.txt',
  API_CATALOG,
  ...ROOT_REDIRECTS.keys(),
]);
