import type { BusyRequest } from '@/lib/booking/availability/claims';
import type { BlockedTime, Claim } from '@/lib/booking/availability/input';
import type { BusyReader } from '@/lib/booking/availability/shared-reads';

/** Returns a function that reads from the given claims and blocks only what a request needs, and what it was asked for. */
export function readerOf(claims: readonly Claim[], blocks: readonly BlockedTime[] = []) {
  const asked: BusyRequest[] = [];
  const read: BusyReader = async (request) => {
    asked.push(request);
    const { specialistIds, ranges } = request;
    const found = claims.filter(
      (one) =>
        specialistIds.includes(one.specialistId) && ranges.some(({ from, to }) => one.from < to && one.to > from),
    );
    return { claims: found, blocks };
  };
  return { read, asked };
}
