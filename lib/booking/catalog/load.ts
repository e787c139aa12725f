import { z } from 'zod';
import { type Db, db } from '@/lib/platform/db';
import { Prisma, type Service } from '@/lib/platform/generated/prisma/client';
import { inTenant } from '@/lib/platform/tenant-scope';
import { type OfferedServices, readOffered } from './offered';
import type { CatalogLocation, CatalogService, CatalogSpecialist, Offering, Translated } from './records';
import { prepareSchedules, type Schedules } from './schedules';

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

/**
 * Like `loadCatalog`, but in `tx`, in which the catalog must not change: REPEATABLE READ, or that of `changeCatalog`.
 */
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
