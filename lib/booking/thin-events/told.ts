import { mayUseLocation } from '@/lib/access/applications/policy';
import { formatInstant, parseDay } from '@/lib/platform/time-zones';
import { bookableStarts } from '../availability';
import type { Snapshot } from '../catalog/snapshot';
import type { Affected } from './affected';
import { boundedChanges, type ChangedDays, EVERYTHING, thinEvent } from './payload';
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

/**
 * Returns the days that can be booked at `now` and have changed, of the combinations that the application can read. If the
 * schedule of a combination changed, all its days have.
 */
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
