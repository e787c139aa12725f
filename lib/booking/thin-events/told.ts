import type { z } from 'zod';
import { mayUseLocation } from '@/lib/access/applications/policy';
import {
  type availabilityChangedPayload,
  MAX_CHANGE_DATES,
  MAX_CHANGES,
  type THIN_EVENT_TYPES,
} from '@/lib/contract/events';
import { answerToken } from '@/lib/platform/answer-token';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { formatDay, formatInstant, parseDay } from '@/lib/platform/time-zones';
import { bookableStarts } from '../availability/input';
import type { Snapshot } from '../catalog/snapshot';
import type { Affected } from './affected';
import { changedSchedules, type Readable } from './readable';
import { MAX_WAITING, type Watch } from './statements';

export type Found = {
  snapshot: Snapshot;
  watch: Watch;
  readable: Readable;
  /** Null if too much has changed. */
  changed: Affected | null;
};

type State = {
  events: ReturnType<typeof thinEvent>[];
  missed: boolean;
  catalogVersion: string | null;
  policyVersion: string | null;
  catalog: Buffer | null;
  /** JSON. */
  schedules: string;
};

/** Returns the events for an application, and what its watch then knows (contract B17). */
export function told(now: Date, { snapshot, watch, readable, changed }: Found): State {
  const { types, scopes, catalog, catalogVersion, policyVersion, schedules } = watch;
  const clock = new Date(now.getTime() + watch.clockOffset * 1_000);
  const changesSince = (rescheduled: readonly string[]) =>
    changed && changesFor(clock, snapshot, readable, changed, rescheduled);
  if (!watch.active || watch.waiting >= MAX_WAITING) {
    // The catalog is compared later. Changes of free slots are only known to have been missed.
    const missed = watch.missed || changesSince([])?.length !== 0;
    return { events: [], missed, catalogVersion, policyVersion, catalog, schedules: JSON.stringify(schedules) };
  }
  const target = { tenantId: snapshot.tenantId, applicationId: watch.applicationId };
  const { compared } = readable;
  const state = {
    catalogVersion: compared ? readable.catalogVersion : catalogVersion,
    policyVersion: compared ? readable.policyVersion : policyVersion,
    catalog: compared ? compared.catalog : catalog,
    schedules: JSON.stringify(compared ? compared.schedules : schedules),
  };
  const events: State['events'] = [];
  const isOther = compared !== null && (catalog === null || !compared.catalog.equals(catalog));
  if (isOther && types.includes('catalog.changed') && scopes.includes('catalog.read'))
    events.push(thinEvent(now, target, 'catalog.changed'));
  if (!types.includes('availability.changed')) return { events, ...state, missed: false };
  const rescheduled = compared ? changedSchedules(schedules, compared.schedules) : [];
  const since = watch.missed || rescheduled === null ? null : changesSince(rescheduled);
  if (!scopes.includes('availability.read')) return { events, ...state, missed: since?.length !== 0 };
  const changes = since === null ? EVERYTHING : boundedChanges(since);
  if (changes.length > 0) events.push(thinEvent(now, target, 'availability.changed', changes));
  return { events, ...state, missed: false };
}

/** If the schedule of a combination changed, all its days have. */
function changesFor(
  now: Date,
  { schedules }: Snapshot,
  { allowed }: Readable,
  changed: Affected,
  rescheduled: readonly string[],
): ChangedDays[] {
  const all = new Set(rescheduled);
  return [...new Set([...rescheduled, ...changed.keys()])].flatMap((key): ChangedDays[] => {
    const [serviceId = '', locationId = ''] = key.split(' ');
    if (!mayUseLocation(allowed, locationId)) return [];
    const location = schedules.locations.get(locationId);
    const service = schedules.services.get(serviceId);
    // It was deleted.
    if (!location || !service) return [{ serviceId, locationId, days: null }];
    const { earliest, latest } = bookableStarts(service, now.getTime());
    const [from = 0, to = 0] = [earliest, latest].map((start) => parseDay(formatInstant(location.zone, start).date));
    if (earliest > latest) return [];
    if (all.has(key)) return [{ serviceId, locationId, days: { from, to } }];
    const days = [...(changed.get(key) ?? [])].filter((day) => day >= from && day <= to);
    return days.length > 0 ? [{ serviceId, locationId, days }] : [];
  });
}

export type ThinEventType = (typeof THIN_EVENT_TYPES)[number];

type AvailabilityChange = z.infer<typeof availabilityChangedPayload>['data']['changes'][number];

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

function both(a: Range, b: Range): Range & { dates: null } {
  if (a.date === null || b.date === null || a.date_to === null || b.date_to === null)
    return { date: null, date_to: null, dates: null };
  const [date = null] = [a.date, b.date].sort();
  const [, date_to = null] = [a.date_to, b.date_to].sort();
  return { date, date_to, dates: null };
}

type Target = { tenantId: string; applicationId: string };

/** The token is the tenant's, like those of answers, so a read with `min_token` includes all that was committed before. */
function thinEvent(
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
