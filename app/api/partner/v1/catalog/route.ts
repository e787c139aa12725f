import { listServices } from '@/lib/booking/catalog/list-services';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { listCatalog } from '@/lib/contract/operations';
import { headerOf } from '@/lib/http/partner-api/call';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { resolveLocale } from '@/lib/http/partner-api/locale';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { tokenResult } from '@/lib/http/partner-api/unchanged';

/** `GET /catalog`: returns one page of published services with their locations (contract B4). */
export const GET = partnerRoute(listCatalog, async ({ call, policy, query }) => {
  const snapshot = await snapshotOf(policy.tenantId);
  const locale = resolveLocale(snapshot, query.locale, headerOf(call, 'accept-language'));
  const scope = cursorScope(policy, listCatalog, [locale]);
  const after = query.cursor === undefined ? null : readCursor(scope, query.cursor);
  const page = listServices(snapshot, policy, { locale, limit: query.limit, after });
  const next = page.last === null ? 'null' : `"${writeCursor(scope, page.last)}"`;
  return tokenResult(call, policy, {
    ...{ operation: listCatalog, query, locale, content: page.digest },
    members: [page.json, `,"next_cursor":${next}`],
    headers: { 'Content-Language': page.languages },
  });
});
