import { listSpecialists as list } from '@/lib/booking/catalog/list';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { listSpecialists } from '@/lib/contract/operations';
import { headerOf } from '@/lib/http/partner-api/call';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { resolveLocale } from '@/lib/http/partner-api/locale';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { tokenResult } from '@/lib/http/partner-api/response';

/** `GET /catalog/specialists`: returns published specialists, filtered by service and location (contract B5). */
export const GET = partnerRoute(listSpecialists, async ({ call, policy, query }) => {
  const snapshot = await snapshotOf(policy.tenantId);
  const locale = resolveLocale(snapshot, query.locale, headerOf(call, 'accept-language'));
  const { service_id: serviceId = null, location_id: locationId = null } = query;
  const scope = cursorScope(policy, listSpecialists, [serviceId, locationId, locale]);
  const after = query.cursor === undefined ? null : readCursor(scope, query.cursor);
  const page = list(snapshot, policy, { serviceId, locationId, locale, limit: query.limit, after });
  const next = page.last === null ? 'null' : `"${writeCursor(scope, page.last)}"`;
  return tokenResult(call, policy, {
    ...{ operation: listSpecialists, query, locale },
    members: ['"specialists":', ...page.specialists, `,"next_cursor":${next}`],
    headers: { 'Content-Language': page.languages },
  });
});
