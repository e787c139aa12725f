import { notFound } from '@/lib/contract/errors/app-error';
import { parseTime } from '@/lib/platform/time-zones';
import { type ExplainedStart, type ExplainQuery, explainDay, gridOf } from '../../availability/explain';
import { listSlots } from '../../availability/list-slots';
import { readSharedBusy } from '../../availability/shared-reads';
import { type SlotRecord, slotRecord } from '../../availability/slot-json';
import { loadCatalog } from '../snapshot';

/** On one day: one per minute. */
const MAX_SLOTS = 1_440;

/** On any date. */
export const BLOCKERS = ['service_unpublished', 'location_unpublished', 'not_offered'] as const;

type Query = {
  serviceId: string;
  locationId: string;
  date: string;
  /** A past moment, such as that of a refused request. Null for now. */
  at: Date | null;
  /** A start to explain besides those of the grid, `HH:MM`. */
  startTime: string | null;
  /** With whom `startTime` was requested. */
  specialistId: string | null;
};

/** Of one group of starts. The others are only counted. */
const MAX_SPECIALISTS = 20;

/** Consecutive starts that cannot be booked for the same reasons (contract B18). */
export type RefusedStarts = {
  from: string;
  to: string;
  count: number;
  reason: string;
  /** At most `MAX_SPECIALISTS`. */
  specialists: { id: string; reason: string | null }[];
  more_specialists: number;
};

export type DayPreview = {
  time_zone: string;
  bookable_from: string;
  bookable_until: string;
  blockers: (typeof BLOCKERS)[number][];
  slots: SlotRecord[];
  refused: RefusedStarts[];
  /** The requested start. Null without one. */
  asked: { start_time: string; reason: string | null } | null;
  /** Published, offering the service at the location, ordered by id. */
  specialists: { id: string; name: string }[];
};

/**
 * Returns the slots on a day as partners see them, or would see them after the publication of the service, and why the
 * other starts cannot be booked. At a past moment, only the lead time and the horizon differ: the catalog, the blocks,
 * and the claims are those of now.
 * @throws AppError not_found.
 */
export async function previewDay(present: Date, tenantId: string, query: Query): Promise<DayPreview> {
  const { serviceId, locationId, date } = query;
  const now = query.at ?? present;
  const catalog = await loadCatalog(tenantId);
  const service = catalog?.schedules.services.get(serviceId);
  const location = catalog?.schedules.locations.get(locationId);
  if (!catalog || !service || !location) throw notFound();
  const specialists = catalog.schedules.offering(serviceId, locationId);
  const asked = { service, location, specialists, date, dateTo: undefined, ownClaim: null, after: null };
  const { slots } = await listSlots(readSharedBusy, { ...asked, limit: MAX_SLOTS, now });
  const starts = { service, location, specialists, date, now };
  const explained = await explainDay(readSharedBusy, { ...starts, minutes: gridOf(service) });
  const blocked: Record<(typeof BLOCKERS)[number], boolean> = {
    service_unpublished: !catalog.services.get(serviceId)?.published,
    location_unpublished: !catalog.locations.get(locationId)?.published,
    not_offered: specialists.length === 0,
  };
  const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000).toISOString();
  return {
    time_zone: location.zone.name,
    bookable_from: after(service.minLeadMinutes),
    bookable_until: after(service.maxAdvanceDays * 1_440),
    blockers: BLOCKERS.filter((blocker) => blocked[blocker]),
    slots: slots.map((slot) => slotRecord(service, location, slot)),
    refused: groupsOf(explained),
    asked: query.startTime === null ? null : await askedOf({ ...starts, ...query, startTime: query.startTime }),
    specialists: specialists.map(({ id }) => ({ id, name: catalog.specialists.get(id)?.displayName ?? '' })),
  };
}

type Asked = Omit<ExplainQuery, 'claims' | 'blocks' | 'now' | 'minutes'> & { now: Date; startTime: string };

async function askedOf({ startTime, ...query }: Asked): Promise<DayPreview['asked']> {
  const [start] = await explainDay(readSharedBusy, { ...query, minutes: [parseTime(startTime)] });
  return { start_time: startTime, reason: start?.reason ?? null };
}

function groupsOf(starts: readonly ExplainedStart[]): RefusedStarts[] {
  const groups: RefusedStarts[] = [];
  let last = '';
  for (const { startTime, reason, specialists } of starts) {
    const key = reason === null ? '' : JSON.stringify([reason, specialists]);
    const group = groups.at(-1);
    if (reason !== null && group && key === last) {
      group.to = startTime;
      group.count += 1;
    } else if (reason !== null) groups.push(groupOf(startTime, reason, specialists));
    last = key;
  }
  return groups;
}

function groupOf(at: string, reason: string, specialists: ExplainedStart['specialists']): RefusedStarts {
  const shown = specialists.slice(0, MAX_SPECIALISTS).map((one) => ({ id: one.specialistId, reason: one.reason }));
  return {
    from: at,
    to: at,
    count: 1,
    reason,
    specialists: shown,
    more_specialists: specialists.length - shown.length,
  };
}
