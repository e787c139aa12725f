import { explanationOf } from '@/lib/booking/bookings/explain';
import { resolveOffer } from '@/lib/booking/bookings/resolve';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { explainAvailability } from '@/lib/contract/operations';
import { countSpecialistDays } from '@/lib/http/partner-api/admission';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';

/** `GET /availability/explain`: why the starts of a day can or cannot be booked (contract B18). */
export const GET = partnerRoute(explainAvailability, async ({ call, policy, query, now }) => {
  const { service_id: serviceId, location_id: locationId, specialist_id: specialistId, date, limit, cursor } = query;
  const filters = [serviceId, locationId ?? null, specialistId ?? null, date];
  const scope = cursorScope(policy, explainAvailability, filters);
  const after = cursor === undefined ? null : Number(readCursor(scope, cursor));
  const snapshot = await snapshotOf(policy.tenantId);
  const offer = resolveOffer(snapshot, policy, { serviceId, locationId, specialistId });
  await countSpecialistDays(call, policy, specialistId === undefined ? offer.specialists.length : 1);
  const { last, ...explanation } = await explanationOf(policy, { offer, date, specialistId, after, limit, now });
  const next_cursor = last === null ? null : writeCursor(scope, String(last));
  return { data: JSON.stringify({ ...explanation, next_cursor }) };
});
