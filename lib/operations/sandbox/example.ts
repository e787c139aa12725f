import type { SlotRecord } from '@/lib/booking/availability/slot-json';
import { type Snapshot, snapshotOf } from '@/lib/booking/catalog/snapshot';
import type { LiveExample, LiveTimes } from '@/lib/contract/docs/live-example';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { log } from '@/lib/platform/log';
import { inTenant } from '@/lib/platform/tenant-scope';
import { EXAMPLE_REFERENCES } from './example-bookings';
import { DAYS, placesOf, slotsOf } from './example-slots';
import { APPLICATIONS } from './seed/applications';

const DAY = 86_400_000;
/** Days ahead, so that a slot stays bookable while a reader reads. */
const FIRST_DAY = 3;
/** On another day than the slots, so that a create leaves it free. */
const FIRST_DAY_OF_TARGETS = FIRST_DAY + DAYS + 1;
const MAX_BOOKINGS = 4;

const timesOf = ({ date, start_time, end_time, starts_at, ends_at }: SlotRecord): LiveTimes => ({
  date,
  start_time,
  end_time,
  starts_at,
  ends_at,
});

/**
 * Returns bookings of the sandbox's first partner that the partner may still change, each with a free slot to move to. Those
 * that were made for the examples come first: an example must not cancel another one as long as there is one of them.
 */
async function bookingsOf(now: Date, snapshot: Snapshot) {
  const where = {
    tenantId: SANDBOX_TENANT_ID,
    applicationId: APPLICATIONS[0]?.id ?? '',
    status: 'confirmed' as const,
    startsAt: { gt: new Date(now.getTime() + DAY) },
  };
  const references = [...EXAMPLE_REFERENCES];
  const [made, others] = await inTenant(SANDBOX_TENANT_ID, () =>
    Promise.all([
      db().booking.findMany({ where: { ...where, reference: { in: references } }, orderBy: { startsAt: 'asc' } }),
      db().booking.findMany({
        where: { ...where, reference: { notIn: references } },
        orderBy: { createdAt: 'desc' },
        take: 10 * MAX_BOOKINGS,
      }),
    ]),
  );
  const found = [];
  for (const { reference, version, serviceId, locationId, startsAt, cancellationCutoffMinutes } of [
    ...made,
    ...others,
  ]) {
    if (startsAt.getTime() - cancellationCutoffMinutes * 60_000 <= now.getTime() + DAY / 24) continue;
    const slot = (await slotsOf(now, snapshot, { serviceId, locationId }, FIRST_DAY_OF_TARGETS))[0];
    if (slot) found.push({ reference, version, target: timesOf(slot) });
    if (found.length === MAX_BOOKINGS) break;
  }
  const [read = null, cancel = null, reschedule = null, owner = null] = found;
  return { read, cancel, reschedule, owner };
}

async function find(now: Date): Promise<LiveExample | null> {
  const snapshot = await snapshotOf(SANDBOX_TENANT_ID);
  for (const place of placesOf(snapshot)) {
    const slots = await slotsOf(now, snapshot, place, FIRST_DAY);
    const [slot, next] = slots.filter(({ date }) => date === slots[0]?.date);
    const service = snapshot.services.get(place.serviceId);
    if (!slot || !next || !service) continue;
    const { priceAmount: amount, priceCurrency: currency } = service;
    const deadline = new Date(slot.starts_at).getTime() - service.cancellationCutoffMinutes * 60_000;
    return {
      service_id: place.serviceId,
      location_id: place.locationId,
      specialist_id: slot.specialist_ids[0] ?? place.specialistId,
      time_zone: slot.time_zone,
      price: amount === null || currency === null ? null : { amount, currency },
      change_deadline: new Date(deadline).toISOString(),
      slots: [timesOf(slot), timesOf(next)],
      bookings: await bookingsOf(now, snapshot),
    };
  }
  return null;
}

/** Milliseconds. A booked slot disappears from the examples after this time. */
const LIFETIME = 5_000;

let latest: { at: number; example: Promise<LiveExample | null> } | null = null;

/**
 * Returns records of the sandbox for the examples of the documentation. Null in LIVE, without a sandbox, and if its
 * records cannot be read: the documentation then shows recorded examples.
 */
export function sandboxExample(now: Date): Promise<LiveExample | null> {
  if (env().ENVIRONMENT !== 'TEST') return Promise.resolve(null);
  if (!latest || Math.abs(now.getTime() - latest.at) > LIFETIME) {
    const example = find(now).catch((error: unknown) => {
      log().debug({ err: error }, 'the documentation shows recorded examples');
      return null;
    });
    latest = { at: now.getTime(), example };
  }
  return latest.example;
}
