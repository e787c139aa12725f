import { z } from 'zod';
import { type Db, db } from '@/lib/platform/db';
import { Prisma, type Service } from '@/lib/platform/generated/prisma/client';
import type { CatalogLocation, CatalogService, CatalogSpecialist, Offering, Translated } from './records';
import { prepareSchedules, type Schedules } from './schedules';

const translated = z.record(z.string(), z.string());

/** All of a tenant's catalog, published or not, each map in the order of ids. */
export type Catalog = {
  tenantId: string;
  locales: readonly string[];
  defaultLocale: string;
  /** Which restored sandbox it is of; null outside of one. */
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
  // Byte order, whatever collation the database has: pages and cursors depend on it.
  records.sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(records.map((record) => [record.id, record]));
}

function reads(client: Db, tenantId: string) {
  const where = { tenantId };
  const ofSpecialist = { specialist: { tenantId } };
  return tuple(
    client.tenant.findUnique({ where: { id: tenantId } }),
    client.location.findMany({ where }),
    client.service.findMany({ where }),
    client.specialist.findMany({ where }),
    client.offering.findMany({ where, select: { specialistId: true, serviceId: true, locationId: true } }),
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

/**
 * Returns the tenant's whole catalog as of one moment, or null when there is no such tenant. Texts are validated
 * and schedules turned into numbers here, once, so that an answer needs no further parsing.
 */
export async function loadCatalog(tenantId: string): Promise<Catalog | null> {
  // One snapshot for all tables: half of an edit must never be seen.
  const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
  const rows = await db().$transaction(reads(db(), tenantId), { isolationLevel });
  return catalogOf(tenantId, rows);
}

/** Like `loadCatalog`, as a transaction sees it that lets nobody else change the catalog. */
export async function readCatalog(tx: Db, tenantId: string): Promise<Catalog | null> {
  return catalogOf(tenantId, await Promise.all(reads(tx, tenantId)));
}

type Settled<T extends unknown[]> = { [K in keyof T]: Awaited<T[K]> };
type Rows = Settled<ReturnType<typeof reads>>;

function catalogOf(
  tenantId: string,
  [tenant, locationRows, serviceRows, specialistRows, offerings, ...hours]: Rows,
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
  const schedules = prepareSchedules(
    { services, locations, specialists, offerings },
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
