import type { z } from 'zod';
import type { createBookingBody } from '@/lib/contract/bookings';
import { AppError } from '@/lib/contract/errors/app-error';
import { newBookingReference } from '@/lib/platform/ids';
import { localDayBounds } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';
import type { Busy, StoredClaim } from '../availability/claims';
import type { BookableSlot, SlotSpecialist } from '../availability/slots';
import { refuseStale } from '../catalog/snapshot';
import { type Outcome, replayOr, type StoredSuccess, writeOnce } from '../idempotency/once';
import type { BookingRow } from './booking';
import { type Change, changeValues, type PartnerWrite, partnerChange } from './change';
import {
  type ContactHashes,
  type SealedCustomer,
  type SealedOptions,
  sealCustomer,
  sealOptions,
  storedHashes,
} from './customer';
import {
  bookableSlot,
  claimValues,
  type FoundSlot,
  MAX_SLOT_READS,
  type Offer,
  rankSpecialists,
  readBusyDay,
  resolveOffer,
  type SlotRequest,
  slotColumns,
  takeSeat,
  unavailable,
} from './resolve';
import { checkMetadata, checkReference } from './sensitive';
import { CREATE_BOOKING, CREATE_OR_FAIL } from './statements';

type Body = z.output<typeof createBookingBody>;

/**
 * Creates a booking of one service for one customer (contract B7), or replays the creation (contract B8). `forced` is
 * thrown instead, except for a replay (contract B13).
 * @throws AppError invalid_request (reason `sensitive_reference`); booking_unavailable with its reason; a refusal from
 * `resolveOffer`; `forced`.
 */
export async function createBooking(write: PartnerWrite, body: Body, forced: AppError | null = null): Promise<Outcome> {
  checkReference(body.external_reference, body.customer);
  if (body.metadata) checkMetadata(body.metadata, body.customer);
  const requested = { serviceId: body.service_id, locationId: body.location_id, specialistId: body.specialist_id };
  let offer: Offer;
  try {
    offer = resolveOffer(write.snapshot, write.policy, requested);
  } catch (error) {
    if (error instanceof AppError) return replayOr(write, error);
    throw error;
  }
  write.resolved({ location_id: offer.location.id });
  const slot = { offer, body, now: write.now };
  return writeOnce(write, {
    read: async (tx) => {
      const [, busy] = await Promise.all([refuseStale(tx, write.snapshot), readBusyDay(tx, slot)]);
      return busy;
    },
    change: async (tx, busy, run) => {
      if (forced) throw forced;
      return book(tx, write, slot, busy, run);
    },
  });
}

async function book(
  tx: WriteTx,
  write: PartnerWrite,
  request: SlotRequest & { body: Body },
  first: Busy<StoredClaim>,
  run: number,
): Promise<StoredSuccess> {
  const { offer, body } = request;
  let found = bookableSlot(request, first);
  const reference = newBookingReference();
  const booking: NewBooking = {
    offer,
    body,
    reference,
    customer: sealCustomer(reference, body.customer),
    options: sealOptions(reference, { ...body.customer, note: body.note, metadata: body.metadata }),
    ...storedHashes(write.tenantId, body.customer),
  };
  if (run === 1) {
    const success = await bookAndCommit(tx, write, booking, found);
    if (success) return success;
  }
  const maker = { ...write.policy, now: write.now };
  for (let reads = 1; ; reads += 1) {
    const made = await takeFirstSeat(tx, { maker, booking, found }, (row) => creationOf(write, row));
    if (made) return made.success;
    if (reads === MAX_SLOT_READS) throw unavailable('slot_taken');
    found = bookableSlot(request, await readBusyDay(tx, request));
  }
}

/** A booking to create. */
export type NewBooking = ContactHashes & {
  offer: Offer;
  body: Pick<Body, 'date' | 'start_time' | 'external_reference'> & {
    customer: Pick<Body['customer'], 'consent_source' | 'consent_text_version'>;
  };
  reference: string;
  customer: SealedCustomer;
  options: SealedOptions;
};

/**
 * Books a seat and commits in the same round trip. If a concurrent write has taken the seat, the transaction fails and
 * is run again. Null if no specialist is free, or if the service has several seats: another one may still be free.
 */
async function bookAndCommit(
  tx: WriteTx,
  write: PartnerWrite,
  booking: NewBooking,
  found: FoundSlot,
): Promise<StoredSuccess | null> {
  const [specialist] = specialistsOf(booking, found);
  if (!specialist || specialist.openClaim || booking.offer.service.capacity > 1) return null;
  const row = newRow({ ...write.policy, now: write.now }, booking, found.slot, specialist.specialistId);
  const { change, success } = creationOf(write, row);
  await tx.commitWith(CREATE_OR_FAIL, { ...changeValues(change), ...newValues(row, booking, found.slot) });
  return success;
}

function creationOf(write: PartnerWrite, row: BookingRow) {
  return partnerChange(write, { status: 201, type: 'booking.created', row, previous: null });
}

/**
 * Books the first specialist with a free seat, with the change that `changeOf` returns for the row. Null if concurrent
 * writes have taken all seats.
 */
export async function takeFirstSeat<Made extends { change: Change }>(
  tx: WriteTx,
  { maker, booking, found }: { maker: Maker; booking: NewBooking; found: FoundSlot },
  changeOf: (row: BookingRow) => Made,
): Promise<Made | null> {
  for (const specialist of specialistsOf(booking, found)) {
    const row = newRow(maker, booking, found.slot, specialist.specialistId);
    const made = changeOf(row);
    const values = { ...changeValues(made.change), ...newValues(row, booking, found.slot) };
    if (await takeSeat(tx, CREATE_BOOKING, specialist, values)) return made;
  }
  return null;
}

function specialistsOf({ offer, body }: NewBooking, { slot, claims }: FoundSlot): readonly SlotSpecialist[] {
  return rankSpecialists(slot, claims, localDayBounds(offer.location.zone, body.date));
}

/** Returns the values of a new booking `row` and its claim, for the statement that creates them. */
export function newValues(row: BookingRow, booking: NewBooking, slot: BookableSlot) {
  return {
    ...claimValues(row, slot, booking.offer.service.capacity),
    source: row.application_id === null ? 'business' : 'partner',
    cancellationCutoffMinutes: row.cancellation_cutoff_minutes,
    priceAmount: row.price_amount,
    priceCurrency: row.price_currency,
    externalReference: row.external_reference,
    consentSource: row.consent_source,
    consentTextVersion: row.consent_text_version,
    customerName: booking.customer.name,
    customerPhone: booking.customer.phone,
    customerEmail: row.customer_email,
    customerLocale: row.customer_locale,
    note: row.note,
    metadata: row.metadata,
    phoneHash: booking.phoneHash,
    nameHashes: booking.nameHashes,
  };
}

/** Who makes a booking. `applicationId` is null if the business makes it. */
type Maker = { tenantId: string; applicationId: string | null; now: Date };

/** Returns the row of a new booking. The statement that creates it sets the id of the claim. */
export function newRow(
  { tenantId, applicationId, now }: Maker,
  { offer, body, reference, customer, options }: NewBooking,
  slot: BookableSlot,
  specialistId: string,
): BookingRow {
  return {
    reference,
    tenant_id: tenantId,
    application_id: applicationId,
    claim_id: null,
    status: 'confirmed',
    version: 1,
    service_id: offer.service.id,
    location_id: offer.location.id,
    specialist_id: specialistId,
    ...slotColumns(slot, offer.location.zone, body),
    cancellation_cutoff_minutes: offer.cancellationCutoffMinutes,
    price_amount: offer.price?.amount ?? null,
    price_currency: offer.price?.currency ?? null,
    external_reference: body.external_reference,
    consent_at: now,
    consent_source: body.customer.consent_source ?? null,
    consent_text_version: body.customer.consent_text_version ?? null,
    consent_withdrawn_at: null,
    customer_name: customer.name,
    customer_phone: customer.phone,
    ...options,
    cancelled_at: null,
    cancelled_by: null,
    cancel_reason: null,
    created_at: now,
    updated_at: now,
  };
}
