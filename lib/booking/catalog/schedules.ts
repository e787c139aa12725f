import { canonicalZone } from '@/lib/platform/time-zones';
import type { ExceptionRecord, HoursRecord, TimeOffRecord, WeeklyHoursRecord } from '../availability';
import {
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  prepareLocation,
  prepareService,
  prepareSpecialist,
} from '../availability';
import type { CatalogService, Offering } from './records';

export type ScheduleRows = {
  locationHours: ({ locationId: string } & WeeklyHoursRecord)[];
  locationExceptions: { locationId: string; date: Date; hours: unknown }[];
  specialistHours: ({ specialistId: string; locationId: string } & WeeklyHoursRecord)[];
  specialistBreaks: ({ specialistId: string } & WeeklyHoursRecord)[];
  specialistExceptions: { specialistId: string; locationId: string; date: Date; hours: unknown }[];
  specialistTimeOff: { specialistId: string; startsAt: Date; endsAt: Date }[];
};

/** Prepared once per snapshot. */
export type Schedules = {
  services: ReadonlyMap<string, PreparedService>;
  locations: ReadonlyMap<string, PreparedLocation>;
  /** Published, offering the service at the location, ordered by id. */
  offering: (serviceId: string, locationId: string) => readonly PreparedSpecialist[];
};

type Records = {
  tenantId: string;
  services: ReadonlyMap<string, CatalogService>;
  locations: ReadonlyMap<string, { id: string; timeZone: string; published: boolean }>;
  specialists: ReadonlyMap<string, { id: string; published: boolean }>;
  offerings: readonly Offering[];
};

const pair = (first: string, second: string) => `${first} ${second}`;

/**
 * Returns the input of the slot engine for a catalog.
 * @throws RangeError for an invalid row, which database constraints should have rejected.
 */
export function prepareSchedules(records: Records, rows: ScheduleRows): Schedules {
  const services = new Map([...records.services.values()].map((service) => [service.id, prepareService(service)]));
  const locations = prepareLocations(records, rows);
  const specialists = prepareSpecialists(records, rows, locations);
  const offering = new Map<string, PreparedSpecialist[]>();
  for (const { specialistId, serviceId, locationId } of records.offerings) {
    const prepared = specialists.get(pair(specialistId, locationId));
    if (!prepared || !records.specialists.get(specialistId)?.published) continue;
    push(offering, pair(serviceId, locationId), prepared);
  }
  for (const list of offering.values()) list.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { services, locations, offering: (service, location) => offering.get(pair(service, location)) ?? [] };
}

function prepareLocations(records: Records, rows: ScheduleRows): Map<string, PreparedLocation> {
  const hours = groupBy(rows.locationHours, (row) => row.locationId);
  const exceptions = groupBy(rows.locationExceptions, (row) => row.locationId);
  return new Map(
    [...records.locations.values()].map(({ id, timeZone, published }) => {
      const zone = canonicalZone(timeZone);
      // An unpublished location counts as closed, so that its bookings are refused as `outside_schedule` (contract B3).
      // So does one whose stored time zone is unknown: its local times would be wrong.
      const isOpen = published && zone !== null;
      const opening = isOpen ? (hours.get(id) ?? []) : [];
      const dated = isOpen ? (exceptions.get(id) ?? []).map(exceptionOf) : [];
      return [
        id,
        prepareLocation({ id, tenantId: records.tenantId, timeZone: zone ?? 'UTC', opening, exceptions: dated }),
      ];
    }),
  );
}

function prepareSpecialists(records: Records, rows: ScheduleRows, locations: ReadonlyMap<string, PreparedLocation>) {
  const hours = groupBy(rows.specialistHours, (row) => pair(row.specialistId, row.locationId));
  const exceptions = groupBy(rows.specialistExceptions, (row) => pair(row.specialistId, row.locationId));
  const breaks = groupBy(rows.specialistBreaks, (row) => row.specialistId);
  const timeOff = groupBy(rows.specialistTimeOff, (row) => row.specialistId);
  const prepared = new Map<string, PreparedSpecialist>();
  for (const { specialistId: id, locationId } of records.offerings) {
    const location = locations.get(locationId);
    const key = pair(id, locationId);
    if (!location || prepared.has(key)) continue;
    const record = {
      id,
      working: hours.get(key) ?? [],
      exceptions: (exceptions.get(key) ?? []).map(exceptionOf),
      breaks: breaks.get(id) ?? [],
      timeOff: (timeOff.get(id) ?? []).map(timeOffOf),
    };
    prepared.set(key, prepareSpecialist(record, location));
  }
  return prepared;
}

// `date` and `timestamp` columns have no time zone. The driver returns their values as UTC.
function exceptionOf({ date, hours }: { date: Date; hours: unknown }): ExceptionRecord {
  return { date: date.toISOString().slice(0, 10), hours: hours as HoursRecord[] };
}

function timeOffOf({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }): TimeOffRecord {
  return { from: startsAt.toISOString().slice(0, 16), to: endsAt.toISOString().slice(0, 16) };
}

function groupBy<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) push(groups, key(row), row);
  return groups;
}

function push<T>(groups: Map<string, T[]>, key: string, row: T): void {
  const group = groups.get(key);
  if (group) group.push(row);
  else groups.set(key, [row]);
}
