import type { z } from 'zod';
import {
  type availabilityChangedPayload,
  MAX_CHANGE_DATES,
  MAX_CHANGES,
  type THIN_EVENT_TYPES,
} from '@/lib/contract/events';
import { answerToken } from '@/lib/platform/answer-token';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { formatDay } from '@/lib/platform/time-zones';

export type ThinEventType = (typeof THIN_EVENT_TYPES)[number];

export type AvailabilityChange = z.infer<typeof availabilityChangedPayload>['data']['changes'][number];

/** Of a service at a location: local days, all of a range, or null for every day. */
export type ChangedDays = {
  serviceId: string;
  locationId: string;
  days: readonly number[] | { from: number; to: number } | null;
};

/** Characters of all changes as JSON. The payload of an event has at most 16,384. */
const MAX_LENGTH = 15_000;

/** Everything that the application can read may have changed. */
export const EVERYTHING: AvailabilityChange[] = [
  { service_id: null, location_id: null, date: null, date_to: null, dates: null },
];

/**
 * Returns what an event tells, as exactly as fits: with dates, then with the ranges of dates, then by location, and finally
 * `EVERYTHING` (contract B17).
 */
export function boundedChanges(changed: readonly ChangedDays[]): AvailabilityChange[] {
  const exact = changed
    .map(changeOf)
    .sort((a, b) => (`${a.location_id} ${a.service_id}` < `${b.location_id} ${b.service_id}` ? -1 : 1));
  const ranges = exact.map((change) => ({ ...change, dates: null }));
  const byLocation = new Map<string | null, AvailabilityChange>();
  for (const { location_id, ...days } of ranges)
    byLocation.set(location_id, { service_id: null, location_id, ...both(days, byLocation.get(location_id) ?? days) });
  const fits = (changes: readonly AvailabilityChange[]) =>
    changes.length <= MAX_CHANGES && JSON.stringify(changes).length <= MAX_LENGTH;
  return [exact, ranges, [...byLocation.values()]].find(fits) ?? EVERYTHING;
}

function changeOf({ serviceId: service_id, locationId: location_id, days }: ChangedDays): AvailabilityChange {
  const change = { service_id, location_id, date: null, date_to: null, dates: null };
  if (days === null) return change;
  if ('from' in days) return { ...change, date: formatDay(days.from), date_to: formatDay(days.to) };
  const dates = [...days].sort((a, b) => a - b).map(formatDay);
  const range = { date: dates[0] ?? null, date_to: dates.at(-1) ?? null };
  return { ...change, ...range, dates: dates.length > MAX_CHANGE_DATES ? null : dates };
}

type Range = Pick<AvailabilityChange, 'date' | 'date_to'>;

/** Returns the range of dates that contains both. */
function both(a: Range, b: Range): Range & { dates: null } {
  if (a.date === null || b.date === null || a.date_to === null || b.date_to === null)
    return { date: null, date_to: null, dates: null };
  const [date = null] = [a.date, b.date].sort();
  const [, date_to = null] = [a.date_to, b.date_to].sort();
  return { date, date_to, dates: null };
}

type Target = { tenantId: string; applicationId: string };

/**
 * Returns a thin event. Its token belongs to the tenant, as those of answers do, so a read with `min_token` includes all
 * that was committed before the event.
 */
export function thinEvent(
  at: Date,
  target: Target,
  type: ThinEventType,
  changes?: AvailabilityChange[],
): { id: string; type: ThinEventType; payload: string } {
  const id = newId('evt');
  const token = answerToken({ ...target, operation: type, filters: id }, []);
  const head = { id, type, timestamp: at.toISOString(), api_version: 'v1', environment: env().ENVIRONMENT };
  return { id, type, payload: JSON.stringify({ ...head, data: { ...(changes && { changes }), token } }) };
}
