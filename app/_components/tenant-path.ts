/** The request header with which a page's API calls state the ID of the tenant. */
export const TENANT_HEADER = 'x-tenant';

/**
 * Adds a tenant to the path of a Control Center page: `/requests?status=4xx` → `/t/ten_…/requests?status=4xx`.
 * Returns a path unchanged if it already contains a tenant or belongs to the documentation.
 * @param href a path that starts with `/`.
 */
export function tenantPath(tenantId: string, href: string): string {
  if (/^\/(t|docs)(?![^/?#])/.test(href) || !href.startsWith('/')) return href;
  // The path of the Overview has no slash at its end.
  return `/t/${tenantId}${href.replace(/^\/(?=$|[?#])/, '')}`;
}

/** Returns the tenant in the path of a page, which may not exist, or null for any other path. */
export function tenantIn(path: string): string | null {
  return /^\/t\/([^/?#]+)/.exec(path)?.[1] ?? null;
}

/** Returns the start of a tab title. With it, the tabs of TEST and LIVE can be told apart. */
export function tabStart(environment: 'TEST' | 'LIVE'): string {
  return environment === 'TEST' ? 'TEST · ' : '';
}
