import { requireRoom } from '@/lib/access/tenants/limits';
import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { inParts } from '@/lib/platform/parts';
import type { Entry, Kind, Stored } from './kind';
import { exceptionColumns, exceptionsOf, requiredTexts, weeklyOf } from './rows';
import { type LocationDoc, locationSchema } from './schemas';

const include = { hours: true, exceptions: true } satisfies Prisma.LocationInclude;

function storedOf(row: Prisma.LocationGetPayload<{ include: typeof include }>): Stored<LocationDoc> {
  const doc: LocationDoc = {
    published: row.published,
    name: requiredTexts(row.name),
    address: { line1: row.line1, city: row.city, postal_code: row.postalCode, country: row.country },
    time_zone: row.timeZone,
    phone: row.phone,
    hours: weeklyOf(row.hours),
    exceptions: exceptionsOf(row.exceptions),
  };
  return { id: row.id, version: row.version, doc };
}

function columns({ published, name, address, time_zone: timeZone, phone }: LocationDoc) {
  const { line1, city, postal_code: postalCode, country } = address;
  return { published, name, line1, city, postalCode, country, timeZone, phone };
}

async function insertHours(tx: Db, entries: readonly Entry<LocationDoc>[]): Promise<void> {
  const hours = entries.flatMap(({ id: locationId, doc }) => doc.hours.map((entry) => ({ locationId, ...entry })));
  await inParts(hours, (data) => tx.locationHours.createMany({ data }));
  const exceptions = entries.flatMap(({ id: locationId, doc }) =>
    doc.exceptions.map((exception) => ({ locationId, ...exceptionColumns(exception) })),
  );
  await inParts(exceptions, (data) => tx.locationException.createMany({ data }));
}

export const LOCATIONS: Kind<LocationDoc> = {
  name: 'location',
  prefix: 'loc',
  schema: locationSchema,
  read: async (tx, tenantId, ids) => {
    const id = ids ? { in: [...ids] } : undefined;
    const rows = await tx.location.findMany({ where: { tenantId, id }, orderBy: { id: 'asc' }, include });
    return rows.map(storedOf);
  },
  count: (tx, tenantId) => tx.location.count({ where: { tenantId } }),
  insert: async (tx, tenantId, entries) => {
    await requireRoom(tx, tenantId, 'locations', entries.length);
    const rows = entries.map(({ id, doc }) => ({ id, tenantId, ...columns(doc) }));
    await inParts(rows, (data) => tx.location.createMany({ data }));
    await insertHours(tx, entries);
  },
  replace: async ({ tx, tenantId }, entries) => {
    for (const { id, doc } of entries)
      await tx.location.update({ where: { id, tenantId }, data: { ...columns(doc), version: { increment: 1 } } });
    const locationId = { in: entries.map(({ id }) => id) };
    await tx.locationHours.deleteMany({ where: { locationId } });
    await tx.locationException.deleteMany({ where: { locationId } });
    await insertHours(tx, entries);
  },
};
