import type { Db } from '@/lib/platform/db';
import type { Service } from '@/lib/platform/generated/prisma/client';
import { inParts } from '@/lib/platform/parts';
import type { Kind, Stored } from './kind';
import { jsonOrNull, optionalTexts, requiredTexts } from './rows';
import { type ServiceDoc, serviceSchema } from './schemas';

function storedOf(row: Service): Stored<ServiceDoc> {
  const { priceAmount: amount, priceCurrency: currency } = row;
  const doc: ServiceDoc = {
    published: row.published,
    name: requiredTexts(row.name),
    description: optionalTexts(row.description),
    category: optionalTexts(row.category),
    duration_minutes: row.durationMinutes,
    slot_interval_minutes: row.slotIntervalMinutes,
    buffer_before_minutes: row.bufferBeforeMinutes,
    buffer_after_minutes: row.bufferAfterMinutes,
    capacity: row.capacity,
    price: amount === null || currency === null ? null : { amount, currency },
    min_lead_minutes: row.minLeadMinutes,
    max_advance_days: row.maxAdvanceDays,
    cancellation_cutoff_minutes: row.cancellationCutoffMinutes,
  };
  return { id: row.id, version: row.version, doc };
}

function columns(doc: ServiceDoc) {
  return {
    published: doc.published,
    name: doc.name,
    description: jsonOrNull(doc.description),
    category: jsonOrNull(doc.category),
    durationMinutes: doc.duration_minutes,
    slotIntervalMinutes: doc.slot_interval_minutes,
    bufferBeforeMinutes: doc.buffer_before_minutes,
    bufferAfterMinutes: doc.buffer_after_minutes,
    capacity: doc.capacity,
    priceAmount: doc.price?.amount ?? null,
    priceCurrency: doc.price?.currency ?? null,
    minLeadMinutes: doc.min_lead_minutes,
    maxAdvanceDays: doc.max_advance_days,
    cancellationCutoffMinutes: doc.cancellation_cutoff_minutes,
  };
}

type Cutoff = { tenantId: string; serviceId: string; now: Date; cutoff: number };

/**
 * A shorter cutoff applies to future bookings too. A longer one does not, because partners have told customers the
 * earlier deadline (contract B7).
 */
async function allowLaterChanges(tx: Db, { tenantId, serviceId, now, cutoff }: Cutoff): Promise<void> {
  const cancellationCutoffMinutes = { gt: cutoff };
  const where = { tenantId, serviceId, startsAt: { gt: now }, status: 'confirmed', cancellationCutoffMinutes } as const;
  await tx.booking.updateMany({ where, data: { cancellationCutoffMinutes: cutoff } });
}

export const SERVICES: Kind<ServiceDoc> = {
  name: 'service',
  prefix: 'svc',
  schema: serviceSchema,
  read: async (tx, tenantId, ids) => {
    const id = ids ? { in: [...ids] } : undefined;
    const rows = await tx.service.findMany({ where: { tenantId, id }, orderBy: { id: 'asc' } });
    return rows.map(storedOf);
  },
  count: (tx, tenantId) => tx.service.count({ where: { tenantId } }),
  insert: async (tx, tenantId, entries) => {
    const rows = entries.map(({ id, doc }) => ({ id, tenantId, ...columns(doc) }));
    await inParts(rows, (data) => tx.service.createMany({ data }));
  },
  replace: async ({ tx, tenantId, now }, entries) => {
    for (const { id, doc } of entries) {
      const data = { ...columns(doc), version: { increment: 1 } };
      await tx.service.update({ where: { id, tenantId }, data });
      await allowLaterChanges(tx, { tenantId, serviceId: id, now, cutoff: doc.cancellation_cutoff_minutes });
    }
  },
};
