import type { Db } from '@/lib/platform/db';
import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { inParts } from '@/lib/platform/parts';
import type { Offering } from '../records';
import { readOffered } from '../snapshot';
import type { Entry, Kind, Stored } from './kind';
import { checkReferences } from './references';
import { exceptionColumns, exceptionsOf, jsonOrNull, localColumn, localTime, optionalTexts, weeklyOf } from './rows';
import { type SpecialistDoc, specialistSchema } from './schemas';

/** Per INSERT, which ends long before the time limit of a statement. */
const MAX_INSERTED = 20_000;

const include = {
  hours: true,
  breaks: true,
  exceptions: true,
  timeOff: true,
} satisfies Prisma.SpecialistInclude;

type Row = Prisma.SpecialistGetPayload<{ include: typeof include }>;
type Workplace = SpecialistDoc['workplaces'][number];

/** Services by location id. */
type Offered = ReadonlyMap<string, readonly string[]>;

/** With an offering, hours, or an exception. */
function workplacesOf({ hours, exceptions }: Row, offered: Offered): Workplace[] {
  const ids = new Set([...offered.keys(), ...[...hours, ...exceptions].map(({ locationId }) => locationId)]);
  return [...ids].sort().map((id) => ({
    location_id: id,
    service_ids: [...(offered.get(id) ?? [])].sort(),
    hours: weeklyOf(hours.filter(({ locationId }) => locationId === id)),
    exceptions: exceptionsOf(exceptions.filter(({ locationId }) => locationId === id)),
  }));
}

function storedOf(row: Row, offered: Offered): Stored<SpecialistDoc> {
  const doc: SpecialistDoc = {
    published: row.published,
    display_name: row.displayName,
    title: optionalTexts(row.title),
    description: optionalTexts(row.description),
    image_url: row.imageUrl,
    workplaces: workplacesOf(row, offered),
    breaks: weeklyOf(row.breaks),
    time_off: row.timeOff
      .map(({ startsAt, endsAt }) => ({ from: localTime(startsAt), to: localTime(endsAt) }))
      .sort((a, b) => (a.from < b.from ? -1 : 1)),
  };
  return { id: row.id, version: row.version, doc };
}

function columns(doc: SpecialistDoc) {
  return {
    published: doc.published,
    displayName: doc.display_name,
    title: jsonOrNull(doc.title),
    description: jsonOrNull(doc.description),
    imageUrl: doc.image_url,
  };
}

async function insertWork(tx: Db, tenantId: string, entries: readonly Entry<SpecialistDoc>[]): Promise<void> {
  const places = entries.flatMap(({ id: specialistId, doc }) =>
    doc.workplaces.map((place) => ({ place, ids: { tenantId, specialistId, locationId: place.location_id } })),
  );
  await insertOfferings(
    tx,
    tenantId,
    places.flatMap(({ place, ids }) => place.service_ids.map((serviceId) => ({ ...ids, serviceId }))),
  );
  const hours = places.flatMap(({ place, ids }) => place.hours.map((entry) => ({ ...ids, ...entry })));
  await inParts(hours, (data) => tx.specialistHours.createMany({ data }));
  const exceptions = places.flatMap(({ place, ids }) =>
    place.exceptions.map((exception) => ({ ...ids, ...exceptionColumns(exception) })),
  );
  await inParts(exceptions, (data) => tx.specialistException.createMany({ data }));
  const breaks = entries.flatMap(({ id: specialistId, doc }) =>
    doc.breaks.map((entry) => ({ specialistId, ...entry })),
  );
  await inParts(breaks, (data) => tx.specialistBreak.createMany({ data }));
  const timeOff = entries.flatMap(({ id: specialistId, doc }) =>
    doc.time_off.map(({ from, to }) => ({ specialistId, startsAt: localColumn(from), endsAt: localColumn(to) })),
  );
  await inParts(timeOff, (data) => tx.specialistTimeOff.createMany({ data }));
}

/** `createMany` sends each value as a parameter of its own, which would take seconds for a large catalog. */
async function insertOfferings(tx: Db, tenantId: string, offerings: readonly Offering[]): Promise<void> {
  for (let start = 0; start < offerings.length; start += MAX_INSERTED) {
    const some = offerings.slice(start, start + MAX_INSERTED);
    const [specialists, services, locations] = (['specialistId', 'serviceId', 'locationId'] as const).map((name) =>
      some.map((offering) => offering[name]),
    );
    await tx.$executeRaw`
      INSERT INTO offerings (tenant_id, specialist_id, service_id, location_id)
      SELECT ${tenantId}, * FROM unnest(${specialists}::text[], ${services}::text[], ${locations}::text[])`;
  }
}

async function deleteWork(tx: Db, ids: string[]): Promise<void> {
  const where = { specialistId: { in: ids } };
  await tx.offering.deleteMany({ where });
  await tx.specialistHours.deleteMany({ where });
  await tx.specialistException.deleteMany({ where });
  await tx.specialistBreak.deleteMany({ where });
  await tx.specialistTimeOff.deleteMany({ where });
}

export const SPECIALISTS: Kind<SpecialistDoc> = {
  name: 'specialist',
  prefix: 'spc',
  schema: specialistSchema,
  read: async (tx, tenantId, ids) => {
    const id = ids ? { in: [...ids] } : undefined;
    const rows = await tx.specialist.findMany({ where: { tenantId, id }, orderBy: { id: 'asc' }, include });
    const offered = new Map<string, Map<string, readonly string[]>>(rows.map((row) => [row.id, new Map()]));
    for (const { specialist_id, location_id, service_ids } of await readOffered(tx, tenantId, ids))
      offered.get(specialist_id)?.set(location_id, service_ids);
    return rows.map((row) => storedOf(row, offered.get(row.id) ?? new Map()));
  },
  count: (tx, tenantId) => tx.specialist.count({ where: { tenantId } }),
  check: checkReferences,
  insert: async (tx, tenantId, entries) => {
    const rows = entries.map(({ id, doc }) => ({ id, tenantId, ...columns(doc) }));
    await inParts(rows, (data) => tx.specialist.createMany({ data }));
    await insertWork(tx, tenantId, entries);
  },
  replace: async ({ tx, tenantId }, entries) => {
    for (const { id, doc } of entries)
      await tx.specialist.update({ where: { id, tenantId }, data: { ...columns(doc), version: { increment: 1 } } });
    await deleteWork(
      tx,
      entries.map(({ id }) => id),
    );
    await insertWork(tx, tenantId, entries);
  },
};
