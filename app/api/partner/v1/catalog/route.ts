import { listServices } from '@/lib/booking/catalog/list';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { listCatalog } from '@/lib/contract/operations';
import { headerOf } from '@/lib/http/partner-api/call';
import { cursorScope, readCursor } from '@/lib/http/partner-api/cursor';
import { resolveLocale } from '@/lib/http/partner-api/locale';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { pageResult } from '@/lib/http/partner-api/response';

/** `GET /catalog`: returns one page of published services with their locations (contract B4). */
export const GET = partnerRoute(listCatalog, async ({ call, policy, query }) => {
  const snapshot = await snapshotOf(policy.tenantId);
  const locale = resolveLocale(snapshot, query.locale, headerOf(call, 'accept-language'));
  const scope = cursorScope(policy, listCatalog, [locale]);
  const after = query.cursor === undefined ? null : readCursor(scope, query.cursor);
  const page = listServices(snapshot, policy, { locale, limit: query.limit, after });
  return pageResult(call, policy, { operation: listCatalog, query, locale, scope, page });
});
