import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Cache, createCache } from '@/lib/platform/cache';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { Prisma, type Service } from '@/lib/platform/generated/prisma/client';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { singleton } from '@/lib/platform/singleton';
import { param, statement } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { canonicalZone } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import {
  type ExceptionRecord,
  type HoursRecord,
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  prepareLocation,
  prepareService,
  prepareSpecialist,
  type TimeOffRecord,
  type WeeklyHoursRecord,
} from '../availability/input';
import type { CatalogLocation, CatalogService, CatalogSpecialist, Offering, Translated } from './records';

const translated = z.record(z.string(), z.string());

/** Includes unpublished records. Maps are ordered by id. */
export type Catalog = {
  tenantId: string;
  locales: readonly string[];
  defaultLocale: string;
  /** Of the sandbox. Null if there was none. */
  lastResetAt: Date | null;
  locations: ReadonlyMap<string, CatalogLocation>;
  services: ReadonlyMap<string, CatalogService>;
  specialists: ReadonlyMap<string, CatalogSpecialist>;
  offerings: readonly Offering[];
  schedules: Schedules;
};

function optionalText(value: Prisma.JsonValue): Translated | null {
  return value === null ? null : translated.parse(value);
}

function byId<T extends { id: string }>(records: T[]): Map<string, T> {
  // Pages and cursors require byte order. The database may sort texts in a different order.
  records.sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(records.map((record) => [record.id, record]));
}

/** Equal ids share one string, to save memory. */
function offeringsOf(rows: readonly OfferedServices[]): Offering[] {
  const ids = new Map<string, string>();
  const shared = (id: string) => {
    const known = ids.get(id);
    if (known === undefined) ids.set(id, id);
    return known ?? id;
  };
  return rows.flatMap((row) => {
    const [specialistId, locationId] = [shared(row.specialist_id), shared(row.location_id)];
    return row.service_ids.map((id) => ({ specialistId, serviceId: shared(id), locationId }));
  });
}

function reads(client: Db, tenantId: string) {
  const where = { tenantId };
  const ofSpecialist = { specialist: { tenantId } };
  return tuple(
    client.tenant.findFirst({ where: { id: tenantId } }),
    client.location.findMany({ where }),
    client.service.findMany({ where }),
    client.specialist.findMany({ where }),
    readOffered(client, tenantId),
    client.locationHours.findMany({ where: { location: { tenantId } } }),
    client.locationException.findMany({ where: { location: { tenantId } } }),
    client.specialistHours.findMany({ where }),
    client.specialistBreak.findMany({ where: ofSpecialist }),
    client.specialistException.findMany({ where }),
    client.specialistTimeOff.findMany({ where: ofSpecialist }),
  );
}

function tuple<T extends unknown[]>(...entries: T): T {
  return entries;
}

/** Returns the tenant's catalog, or null. Texts and schedules are parsed only here, not per request. */
export async function loadCatalog(tenantId: string): Promise<Catalog | null> {
  // A concurrent change is visible completely or not at all.
  const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
  const rows = await inTenant(tenantId, () => db().$transaction(reads(db(), tenantId), { isolationLevel }));
  return catalogOf(tenantId, rows);
}

/** Like `loadCatalog`, but in `tx`, in which the catalog must not change: REPEATABLE READ, or that of `changeCatalog`. */
export async function readCatalog(tx: Db, tenantId: string): Promise<Catalog | null> {
  return catalogOf(tenantId, await Promise.all(reads(tx, tenantId)));
}

type Settled<T extends unknown[]> = { [K in keyof T]: Awaited<T[K]> };
type Rows = Settled<ReturnType<typeof reads>>;

function catalogOf(
  tenantId: string,
  [tenant, locationRows, serviceRows, specialistRows, offered, ...hours]: Rows,
): Catalog | null {
  if (!tenant) return null;
  const [
    locationHours,
    locationExceptions,
    specialistHours,
    specialistBreaks,
    specialistExceptions,
    specialistTimeOff,
  ] = hours;
  const locations = byId(locationRows.map((record) => ({ ...record, name: translated.parse(record.name) })));
  const services = byId(serviceRows.map(serviceOf));
  const specialists = byId(
    specialistRows.map((record) => ({
      ...record,
      title: optionalText(record.title),
      description: optionalText(record.description),
    })),
  );
  const offerings = offeringsOf(offered);
  const schedules = prepareSchedules(
    { tenantId, services, locations, specialists, offerings },
    { locationHours, locationExceptions, specialistHours, specialistBreaks, specialistExceptions, specialistTimeOff },
  );
  const { locales, defaultLocale, lastResetAt } = tenant;
  return { tenantId, locales, defaultLocale, lastResetAt, locations, services, specialists, offerings, schedules };
}

function serviceOf(record: Service): CatalogService {
  return {
    ...record,
    name: translated.parse(record.name),
    description: optionalText(record.description),
    category: optionalText(record.category),
  };
}

/** A large catalog has 150,000 offerings. Reading one row per offering would take several times as long. */
type OfferedServices = { specialist_id: string; location_id: string; service_ids: string[] };

/** Reads the offerings of a tenant, or of some of its specialists. */
export function readOffered(
  client: Db,
  tenantId: string,
  specialistIds: readonly string[] | null = null,
): Prisma.PrismaPromise<OfferedServices[]> {
  return client.$queryRaw<OfferedServices[]>`
    SELECT specialist_id, location_id, array_agg(service_id) AS service_ids FROM offerings
    WHERE tenant_id = ${tenantId} AND (${specialistIds}::text[] IS NULL OR specialist_id = ANY (${specialistIds}::text[]))
    GROUP BY specialist_id, location_id`;
}

type ScheduleRows = {
  locationHours: ({ locationId: string } & WeeklyHoursRecord)[];
  locationExceptions: { locationId: string; date: Date; hours: unknown }[];
  specialistHours: ({ specialistId: string; locationId: string } & WeeklyHoursRecord)[];
  specialistBreaks: ({ specialistId: string } & WeeklyHoursRecord)[];
  specialistExceptions: { specialistId: string; locationId: string; date: Date; hours: unknown }[];
  specialistTimeOff: { specialistId: string; startsAt: Date; endsAt: Date }[];
};

/** Prepared once per snapshot. */
type Schedules = {
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

/** @throws RangeError for an invalid row, which database constraints should have rejected. */
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

/** A text without the language of the view is in another one. */
export type RecordJson = { json: Buffer; languages: ReadonlySet<string> };

export type ServiceJson = RecordJson & { id: string; locationIds: readonly string[] };

export type SpecialistJson = RecordJson & { id: string; offerings: readonly Offering[] };

/**
 * `last` is the id of the last service, or null if no page follows. `languages` is the Content-Language,
 * `digest` the hash of `json` and `last`.
 */
export type ServicesPage = { json: Buffer; digest: Buffer; last: string | null; languages: string };

/** For all applications with the same allowed locations. Lists are ordered by id. */
export type View = {
  services: readonly ServiceJson[];
  /** By location id. */
  locations: ReadonlyMap<string, RecordJson>;
  specialists: readonly SpecialistJson[];
  /** By limit and cursor. */
  pages: LRUCache<string, ServicesPage>;
};

export const MAX_TENANTS = 200;
/** Of one catalog, by language and set of allowed locations. */
const MAX_VIEWS = 100;
/** Of one catalog. A larger view would be built again for each request. One of 150,000 offerings takes about 5 MB. */
const MAX_VIEW_BYTES = 256 * 1024 * 1024;

export type Snapshot = Catalog & { views: LRUCache<string, View> };

/** Approximate bytes, without the cached `pages`. */
function sizeOf({ services, specialists }: View): number {
  const lists = [
    ...services.map(({ json, locationIds }) => json.length + 8 * locationIds.length),
    ...specialists.map(({ json, offerings }) => json.length + 8 * offerings.length),
  ];
  return lists.reduce((sum, bytes) => sum + bytes, 1_000);
}

function snapshots(): Cache<Snapshot> {
  return singleton('cache:catalog', () =>
    createCache<Snapshot>({
      topic: 'catalog',
      max: MAX_TENANTS,
      load: async (tenantId) => {
        const catalog = await loadCatalog(tenantId);
        return (
          catalog && {
            ...catalog,
            views: new LRUCache({ max: MAX_VIEWS, maxSize: MAX_VIEW_BYTES, sizeCalculation: sizeOf }),
          }
        );
      },
      recordOf: (snapshot) => snapshot.tenantId,
    }),
  );
}

/**
 * Returns the tenant's catalog, from memory if it is known to be up to date (architecture 6).
 * @throws AppError service_unavailable if the tenant no longer exists.
 */
export async function snapshotOf(tenantId: string): Promise<Snapshot> {
  const snapshot = await snapshots().get(tenantId);
  if (!snapshot) throw new AppError('service_unavailable');
  return snapshot;
}

const LAST_RESET = statement<{ last_reset_at: Date | null }>('sandbox-last-reset')`
  SELECT last_reset_at FROM tenants WHERE id = ${param.text('tenantId')}`;

/**
 * Refuses a write whose catalog snapshot is older than the last sandbox reset. Call this in its transaction, after the
 * tenant is locked. Outside the sandbox, runs no query.
 * @throws AppError service_unavailable if the snapshot is older than the reset.
 */
export async function refuseStale(tx: WriteTx, { tenantId, lastResetAt }: Snapshot): Promise<void> {
  if (tenantId !== SANDBOX_TENANT_ID || env().ENVIRONMENT !== 'TEST') return;
  const [tenant] = await tx.query(LAST_RESET, { tenantId });
  if (tenant?.last_reset_at?.getTime() !== lastResetAt?.getTime())
    throw new AppError('service_unavailable', { retryAfter: 1 });
}
