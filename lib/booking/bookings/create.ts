import type { z } from 'zod';
import type { createBookingBody } from '@/lib/contract/bookings';
import { AppError } from '@/lib/contract/errors/app-error';
import { newBookingReference } from '@/lib/platform/ids';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { type BookableSlot, localDayBounds } from '../availability';
import { refuseStale } from '../catalog/stale';
import { type Outcome, replayOr, writeOnce } from '../idempotency/once';
import type { StoredSuccess } from '../idempotency/store';
import { takeBookable } from './bookable';
import { sealCustomer } from './customer';
import { type PartnerWrite, recordsOf } from './partner-write';
import { type Offer, resolveOffer } from './resolve';
import type { BookingRow } from './row';
import { AFTER_CLAIM, candidates, seatStatements, takeSeat } from './seats';
import { checkReference } from './sensitive';

type Body = z.output<typeof createBookingBody>;

const own = (index: number) => `$${AFTER_CLAIM + index}`;

/** The statements of a create: a first guest's, and a further one's of a group. */
export const CREATE_STATEMENTS = seatStatements(
  'booking-create',
  `booking AS (
      INSERT INTO bookings (reference, tenant_id, application_id, claim_id, service_id, location_id, specialist_id,
        starts_at, ends_at, time_zone, cancellation_cutoff_minutes, external_reference, consent_at, customer_name,
        customer_phone, created_at, updated_at)
      SELECT $13::text, $2::text, $3::text, claim.id, $19::text, $20::text, $18::text, $21::timestamptz, $22::timestamptz,
        ${own(0)}::text, ${own(1)}::int, ${own(2)}::text, $9::timestamptz, ${own(3)}::bytea, ${own(4)}::bytea,
        $9::timestamptz, $9::timestamptz
      FROM claim RETURNING reference)`,
);

/**
 * Makes a guest's booking of exactly one service (contract B7), or replays it (B8).
 * @throws AppError booking_unavailable with its reason, or the refusals of resolution.
 */
export async function createBooking(write: PartnerWrite, body: Body): Promise<Outcome> {
  checkReference(body.external_reference, body.customer);
  const asked = { serviceId: body.service_id, locationId: body.location_id, specialistId: body.specialist_id };
  let offer: Offer;
  try {
    offer = resolveOffer(write.snapshot, write.policy, asked);
  } catch (error) {
    if (error instanceof AppError) return replayOr(write, error);
    throw error;
  }
  return writeOnce(write, async (tx) => {
    await refuseStale(tx, write.snapshot);
    return book(tx, write, offer, body);
  });
}

async function book(tx: WriteTx, write: PartnerWrite, offer: Offer, body: Body): Promise<StoredSuccess> {
  const reference = newBookingReference();
  const sealed = sealCustomer(reference, body.customer);
  return takeBookable(tx, { offer, body, now: write.now }, async ({ slot, claims }) => {
    for (const specialist of candidates(slot, claims, localDayBounds(offer.location.zone, body.date))) {
      const row = newRow(write, offer, body, slot, { reference, specialistId: specialist.specialistId, sealed });
      const { records, success } = recordsOf({ write, status: 201, type: 'booking.created', row, previous: null });
      const more = [row.time_zone, row.cancellation_cutoff_minutes, row.external_reference, sealed.name, sealed.phone];
      const { capacity } = offer.service;
      if (await takeSeat(tx, { statements: CREATE_STATEMENTS, slot, specialist, capacity, records, more }))
        return success;
    }
    return null;
  });
}

type Chosen = { reference: string; specialistId: string; sealed: ReturnType<typeof sealCustomer> };

function newRow(
  { policy, now }: PartnerWrite,
  offer: Offer,
  body: Body,
  slot: BookableSlot,
  chosen: Chosen,
): BookingRow {
  return {
    reference: chosen.reference,
    tenant_id: policy.tenantId,
    application_id: policy.applicationId,
    claim_id: null,
    status: 'confirmed',
    version: 1,
    service_id: offer.service.id,
    location_id: offer.location.id,
    specialist_id: chosen.specialistId,
    starts_at: new Date(slot.startsAt * 60_000),
    ends_at: new Date(slot.endsAt * 60_000),
    time_zone: offer.location.zone.name,
    cancellation_cutoff_minutes: offer.cancellationCutoffMinutes,
    external_reference: body.external_reference,
    consent_at: now,
    customer_name: chosen.sealed.name,
    customer_phone: chosen.sealed.phone,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    created_at: now,
    updated_at: now,
  };
}
