import { listSlots } from '@/lib/booking/availability/list-slots';
import { readSharedBusy } from '@/lib/booking/availability/shared-reads';
import { slotsJson } from '@/lib/booking/availability/slot-json';
import { resolveSlots } from '@/lib/booking/bookings/resolve-slots';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { readSlotsInTurn } from '@/lib/booking/read-turns';
import { daysBetween } from '@/lib/contract/common';
import { listAvailability } from '@/lib/contract/operations';
import { checkScope, costOf, countSpecialistDays } from '@/lib/http/partner-api/admission';
import { headerOf } from '@/lib/http/partner-api/call';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { resolveLocale } from '@/lib/http/partner-api/locale';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { tokenResult } from '@/lib/http/partner-api/response';
import { ZONE_RULES } from '@/lib/platform/time-zones';

/** `GET /availability`: returns one page of available slots (contract B6). */
export const GET = partnerRoute(listAvailability, async ({ call, policy, query, now }) => {
  // `exclude_reference` reveals the time of a booking, so it requires the scope that allows reading bookings.
  if (query.exclude_reference !== undefined) checkScope(policy, 'booking.manage');
  const snapshot = await snapshotOf(policy.tenantId);
  const locale = resolveLocale(snapshot, query.locale, headerOf(call, 'accept-language'));
  const {
    service_id,
    location_id = null,
    specialist_id = null,
    date,
    date_to = null,
    exclude_reference = null,
  } = query;
  // A position is an instant, which other rules of time zones can place at another local time.
  const filters = [service_id, location_id, specialist_id, date, date_to, exclude_reference, locale, ZONE_RULES];
  const scope = cursorScope(policy, listAvailability, filters);
  const after = query.cursor === undefined ? null : Number(readCursor(scope, query.cursor));
  const resolved = await resolveSlots(snapshot, policy, query);
  const days = resolved.specialists.length * (daysBetween(date, query.date_to ?? date) + 1);
  await countSpecialistDays(call, policy, days);
  const { slots, last } = await readSlotsInTurn(policy, days, () =>
    listSlots(readSharedBusy, { ...resolved, after, limit: query.limit, now }),
  );
  const next = last === null ? null : writeCursor(scope, String(last));
  return tokenResult(call, policy, {
    ...{ operation: listAvailability, query, locale, cost: costOf(days) },
    members: [
      '"slots":',
      slotsJson(resolved.service, resolved.location, slots),
      `,"next_cursor":${JSON.stringify(next)}`,
    ],
    headers: { 'Content-Language': locale },
  });
});
