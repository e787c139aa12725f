import { randomUUID } from 'node:crypto';
import { mayUseLocation, type Policy } from '@/lib/access/applications/policy';
import { AppError, invalidBecause, notFound } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import type { Statement } from '@/lib/platform/sql';
import { formatInstant, ZONE_RULES, type Zone } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type Busy, readClaims, type StoredClaim } from '../availability/claims';
import {
  type Interval,
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  paddedRange,
} from '../availability/input';
import { type BookableSlot, checkSlot, type SlotCheck, type SlotSpecialist } from '../availability/slots';
import type { Catalog } from '../catalog/snapshot';
import type { BookingRow } from './booking';
import { DELETE_CLAIM, FREE_SEAT, LOCK_CLAIM } from './statements';

/** What the catalog contains for a booking. */
export type Offer = {
  published: boolean;
  service: PreparedService;
  location: PreparedLocation;
  cancellationCutoffMinutes: number;
  /** Of a seat. Null if the service has no price. */
  price: { amount: number; currency: string } | null;
  /** Published, offering the service at the location, ordered by id. */
  specialists: readonly PreparedSpecialist[];
};

type Request = { serviceId: string; locationId: string | undefined; specialistId: string | undefined };

/** Returns the refusal `booking_unavailable` with its reason (contract B3). */
export function unavailable(reason: ReasonOf<'booking_unavailable'>): AppError {
  return new AppError('booking_unavailable', { reason });
}

/**
 * Finds the records for a new booking (step 8 of contract B2; contract B3).
 * @throws AppError not_found if a record does not exist, or if the service is not offered at any location that the
 * policy allows; credential_restricted for the requested location; invalid_request as in `onlyLocation`.
 */
export function resolveOffer(
  catalog: Catalog,
  policy: Policy,
  { serviceId, locationId, specialistId }: Request,
): Offer {
  if (locationId !== undefined) checkLocation(catalog, policy, locationId);
  const service = catalog.services.get(serviceId);
  const offeredAt = allowedLocations(catalog, policy, serviceId);
  if (!service || offeredAt.length === 0) throw notFound('service_id');
  if (specialistId !== undefined && !catalog.specialists.has(specialistId)) throw notFound('specialist_id');
  const chosen = locationId ?? onlyLocation(catalog, offeredAt);
  return { published: service.published, ...offerAt(catalog, serviceId, chosen) };
}

/**
 * Returns the offer for a reschedule: the booking's service and location as they are in the catalog now.
 * @throws AppError booking_unavailable (reason `service_unpublished`) without the service; not_found without the
 * location.
 */
export function resolveReschedule(catalog: Catalog, serviceId: string, locationId: string): Offer {
  const service = catalog.services.get(serviceId);
  if (!service) throw unavailable('service_unpublished');
  return { published: service.published, ...offerAt(catalog, serviceId, locationId) };
}

function offerAt(catalog: Catalog, serviceId: string, locationId: string): Omit<Offer, 'published'> {
  const service = catalog.schedules.services.get(serviceId);
  const location = catalog.schedules.locations.get(locationId);
  const record = catalog.services.get(serviceId);
  if (!service || !location || !record) throw notFound();
  const specialists = catalog.schedules.offering(serviceId, locationId);
  const { cancellationCutoffMinutes, priceAmount: amount, priceCurrency: currency } = record;
  const price = amount === null || currency === null ? null : { amount, currency };
  return { service, location, specialists, cancellationCutoffMinutes, price };
}

function checkLocation(catalog: Catalog, policy: Policy, locationId: string): void {
  if (!catalog.locations.has(locationId)) throw notFound('location_id');
  if (!mayUseLocation(policy, locationId)) throw new AppError('credential_restricted', { reason: 'location' });
}

function allowedLocations(catalog: Catalog, policy: Policy, serviceId: string): string[] {
  const offered = catalog.offerings.filter(
    (offering) => offering.serviceId === serviceId && mayUseLocation(policy, offering.locationId),
  );
  return [...new Set(offered.map((offering) => offering.locationId))];
}

/**
 * Returns the location for a request without `location_id` (contract B6): the only published one or, without any, the
 * only one in `offeredAt`.
 * @throws AppError invalid_request (reason `location_required`) unless there is exactly one such location.
 */
export function onlyLocation(catalog: Catalog, offeredAt: readonly string[]): string {
  const published = offeredAt.filter((id) => catalog.locations.get(id)?.published);
  const [only, ...others] = published.length > 0 ? published : offeredAt;
  if (only === undefined || others.length > 0) {
    throw invalidBecause('location_required');
  }
  return only;
}

/** Concurrent writes can take all free specialists after a read. Others may have become free in the meantime. */
export const MAX_SLOT_READS = 2;

/**
 * A slot to book. `ownClaim` is the id of the claim of the booking that is being rescheduled, whose seat counts as free.
 * It is undefined for a new booking.
 */
export type SlotRequest = {
  offer: Offer;
  body: { date: string; start_time: string; specialist_id?: string | undefined };
  now: Date;
  ownClaim?: string | null;
};

/**
 * A slot that can be booked, and the claims that `readBusyDay` returned. The claims determine the order of the
 * slot's specialists.
 */
export type FoundSlot = { slot: BookableSlot; claims: readonly StoredClaim[] };

/**
 * Returns the claims and blocks of all specialists of the offer on the slot's local day. If the request is a new booking
 * that names a specialist, returns only those of this specialist. The transaction holds the tenant's lock in shared
 * mode, so no block can appear until it ends (architecture 5).
 */
export function readBusyDay(tx: WriteTx, { offer, body, ownClaim }: SlotRequest): Promise<Busy<StoredClaim>> {
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: body.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const isOne = ownClaim === undefined && body.specialist_id !== undefined;
  const read = isOne ? ids.filter((id) => id === body.specialist_id) : ids;
  return readClaims(tx.queryArrays, { specialistIds: read, location, ...range, own: ownClaim ?? null });
}

/**
 * Returns the requested slot if it can be booked. `busy` contains the claims and blocks on the slot's day.
 * @throws AppError booking_unavailable with its reason (contract B7).
 */
export function bookableSlot({ offer, body, now }: SlotRequest, busy: Busy<StoredClaim>): FoundSlot {
  if (!offer.published) throw unavailable('service_unpublished');
  const check = checkRequest({ offer, body, now }, busy);
  if (!check.ok) throw unavailable(check.reason);
  return { slot: check.slot, claims: busy.claims };
}

/** Returns the requested slot if the slot engine offers it, or the reason why it does not. */
export function checkRequest({ offer, body, now }: SlotRequest, busy: Busy<StoredClaim>): SlotCheck {
  const { service, location, specialists } = offer;
  return checkSlot({
    service,
    location,
    specialists,
    ...busy,
    now: now.getTime(),
    date: body.date,
    startTime: body.start_time,
    specialistId: body.specialist_id,
  });
}

/**
 * With one specialist. Between the two statements of a try, a concurrent write can create or delete the claim, so it
 * can fail although a seat is free.
 */
const MAX_TRIES = 3;

/**
 * Returns the order in which a write tries a slot's specialists: `keep`, those with an open group claim, then the rest.
 * Ties: the fewest claimed minutes of the local day, then the id (contract B7).
 */
export function rankSpecialists(
  slot: BookableSlot,
  claims: readonly StoredClaim[],
  day: Interval,
  keep: string | null = null,
): readonly SlotSpecialist[] {
  const ranked = slot.specialists.map((specialist) => {
    const own = claims.filter((claim) => claim.specialistId === specialist.specialistId);
    return { specialist, minutes: claimedMinutes(own, day) };
  });
  const group = (candidate: SlotSpecialist) => (candidate.specialistId === keep ? 0 : candidate.openClaim ? 1 : 2);
  ranked.sort(
    (a, b) =>
      group(a.specialist) - group(b.specialist) ||
      a.minutes - b.minutes ||
      (a.specialist.specialistId < b.specialist.specialistId ? -1 : 1),
  );
  return ranked.map(({ specialist }) => specialist);
}

/**
 * Returns how many minutes of a local day one specialist's claims take, without buffers. A claim counts once, however
 * many of its seats are taken (contract B7).
 */
export function claimedMinutes(
  claims: readonly Pick<StoredClaim, 'startsAt' | 'durationMinutes'>[],
  day: Interval,
): number {
  let minutes = 0;
  for (const { startsAt, durationMinutes } of claims) {
    const within = Math.min(startsAt + durationMinutes, day.to) - Math.max(startsAt, day.from);
    if (within > 0) minutes += within;
  }
  return minutes;
}

const dateAt = (minutes: number) => new Date(minutes * 60_000);

/** Returns the columns that state when a booking is: the chosen local start, and what follows from it. */
export function slotColumns(
  { startsAt, endsAt }: BookableSlot,
  zone: Zone,
  { date, start_time }: { date: string; start_time: string },
) {
  const end = formatInstant(zone, endsAt);
  return {
    starts_at: dateAt(startsAt),
    ends_at: dateAt(endsAt),
    time_zone: zone.name,
    date,
    start_time,
    end_date: end.date,
    end_time: end.time,
  };
}

/** Returns the parameters of SQL that claims `slot`, or takes a seat in it, with the specialist in `row`. */
export function claimValues(row: BookingRow, slot: BookableSlot, capacity: number) {
  return {
    claimId: randomUUID(),
    specialistId: row.specialist_id,
    serviceId: row.service_id,
    locationId: row.location_id,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    timeZone: row.time_zone,
    date: row.date,
    startTime: row.start_time,
    endDate: row.end_date,
    endTime: row.end_time,
    zoneRules: ZONE_RULES,
    claimedFrom: dateAt(slot.from),
    claimedTo: dateAt(slot.to),
    capacity,
  };
}

/** The same change of a booking, in a new claim or in a free seat of an existing claim. */
type SeatStatements<Values> = { inNewClaim: Statement<Values, unknown>; inOpenClaim: Statement<Values, unknown> };

/** Creates or reschedules a booking with a seat of `specialist`. Returns false without a free seat (architecture 4). */
export async function takeSeat<Values extends { capacity: number }>(
  tx: WriteTx,
  { inNewClaim, inOpenClaim }: SeatStatements<NoInfer<Values>>,
  specialist: SlotSpecialist,
  values: Values,
): Promise<boolean> {
  const isMade = async (statement: Statement<Values, unknown>) => (await tx.query(statement, values)).length > 0;
  // Only a new claim can provide the seat. If it cannot be inserted, a concurrent write has taken the seat, so another
  // try would also fail.
  if (values.capacity === 1 && !specialist.openClaim) return isMade(inNewClaim);
  const order = specialist.openClaim ? [inOpenClaim, inNewClaim] : [inNewClaim, inOpenClaim];
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    for (const statement of order) if (await isMade(statement)) return true;
  }
  return false;
}

/** Frees one seat in a claim, or deletes an empty claim. The caller must have locked the booking. */
export async function freeSeat(tx: WriteTx, claimId: string): Promise<void> {
  // A concurrent write may be changing the number of taken seats.
  const [claim] = await tx.query(LOCK_CLAIM, { claimId });
  if (claim) await tx.query(claim.taken > 1 ? FREE_SEAT : DELETE_CLAIM, { claimId });
}
