import { firstSlots, nextSlot } from '@/lib/booking/availability/list-days';
import { readSharedBusy } from '@/lib/booking/availability/shared-reads';
import { daysJson, nextJson } from '@/lib/booking/availability/slot-json';
import { resolveDays, specialistDays } from '@/lib/booking/bookings/resolve-days';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { readSlotsInTurn } from '@/lib/booking/read-turns';
import { MAX_SPECIALIST_DAYS } from '@/lib/contract/availability-days';
import { listAvailabilityDays } from '@/lib/contract/operations';
import { costOf, countSpecialistDays } from '@/lib/http/partner-api/admission';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { tokenResult } from '@/lib/http/partner-api/response';

/** Days that a search for the next slot is expected to read. It waits for its turn as a read of so many days. */
const TYPICAL_DAYS = 31;

/** `GET /availability/days`: returns the days with free slots, or the next free slot (contract B17). */
export const GET = partnerRoute(listAvailabilityDays, async ({ call, policy, query, now }) => {
  const combinations = resolveDays(await snapshotOf(policy.tenantId), policy, query);
  const { date, date_to: dateTo = date, next } = query;
  const days = specialistDays(combinations, query);
  if (!next) await countSpecialistDays(call, policy, days);
  let read = 0;
  const found = await readSlotsInTurn(policy, next ? days * TYPICAL_DAYS : days, async () => {
    const texts: string[] = [];
    for (const one of combinations) {
      if (next) {
        const budget = Math.floor(MAX_SPECIALIST_DAYS / combinations.length);
        const answer = await nextSlot(readSharedBusy, one, date, now, budget);
        read += answer.read;
        texts.push(nextJson(one, answer));
      } else texts.push(daysJson(one, { date, dateTo }, await firstSlots(readSharedBusy, one, date, dateTo, now)));
    }
    return texts;
  });
  if (next) await countSpecialistDays(call, policy, read);
  return tokenResult(call, policy, {
    ...{ operation: listAvailabilityDays, query, locale: null, cost: costOf(next ? read : days) },
    members: [`"combinations":[${found.join(',')}]`],
  });
});
