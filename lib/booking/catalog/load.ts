import { z } from 'zod';
import { type Db, db } from '@/lib/platform/db';
import { type Location, Prisma, type Service, type Specialist } from '@/lib/platform/generated/prisma/client';
import { prepareSchedules, type Schedules } from './schedules';

/** A text in the tenant's languages: language tag → text. */
export type Translated = Record<string, string>;

const translated = z.record(z.string(), z.string());

type Text<K extends string> = { [P in K]: Translated };
type OptionalText<K extends string> = { [P in K]: Translated | null };

/** A location with its texts read. */
export type CatalogueLocation = Omit<Location, 'name'> & Text<'name'>;
/** A service with its texts read. */
export type CatalogueService = Omit<Service, 'name' | 'description' | 'category'> &
  Text<'name'> &
  OptionalText<'description' | 'category'>;
/** A specialist with their texts read. */
export type CatalogueSpecialist = Omit<Specialist, 'title' | 'description'> & OptionalText<'title' | 'description'>;
/** Who offers what where. */
export type Offering = { specialistId: string; serviceId: string; locationId: string };

/** All of a tenant's catalogue, published or not, each map in the order of ids. */
export type Catalogue = {
  tenantId: string;
  locales: readonly string[];
  defaultLocale: string;
  /** Which restored sandbox it is of; null outside of one. */
  lastResetAt: Date | null;
  locations: ReadonlyMap<string, CatalogueLocation>;
  services: ReadonlyMap<string, CatalogueService>;
  specialists: ReadonlyMap<string, CatalogueSpecialist>;
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
 * Returns the tenant's whole catalogue as of one moment, or null when there is no such tenant. Texts are validated
 * and schedules turned into numbers here, once, so that an answer needs no further parsing.
 */
export async function loadCatalogue(tenantId: string): Promise<Catalogue | null> {
  // One snapshot for all tables: half of an edit must never be seen.
  const isolationLevel = Prisma.TransactionIsolationLevel.RepeatableRead;
  const rows = await db().$transaction(reads(db(), tenantId), { isolationLevel });
  return catalogueOf(tenantId, rows);
}

/** Like `loadCatalogue`, as a transaction sees it that lets nobody else change the catalogue. */
export async function readCatalogue(tx: Db, tenantId: string): Promise<Catalogue | null> {
  return catalogueOf(tenantId, await Promise.all(reads(tx, tenantId)));
}

type Settled<T extends unknown[]> = { [K in keyof T]: Awaited<T[K]> };
type Rows = Settled<ReturnType<typeof reads>>;

function catalogueOf(
  tenantId: string,
  [tenant, locationRows, serviceRows, specialistRows, offerings, ...hours]: Rows,
): Catalogue | null {
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

function serviceOf(record: Service): CatalogueService {
  return {
    ...record,
    name: translated.parse(record.name),
    description: optionalText(record.description),
    category: optionalText(record.category),
  };
}
