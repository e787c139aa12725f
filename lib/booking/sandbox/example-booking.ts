import { AppError } from '@/lib/contract/errors/app-error';
import { bookingLock } from '@/lib/platform/locks';
import { localDayBounds } from '@/lib/platform/time-zones';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { bookableSlot, readBusyDay } from '../bookings/bookable-slot';
import { changeValues } from '../bookings/change-values';
import { newRow, newValues } from '../bookings/create';
import { sealCustomer, sealOptions } from '../bookings/customer';
import { bookingEvent } from '../bookings/event';
import { storedHashes } from '../bookings/phone-hash';
import { resolveReschedule, unavailable } from '../bookings/resolve';
import { rankSpecialists, takeSeat } from '../bookings/seats';
import { CREATE_BOOKING, FIND_BOOKING_OF_TENANT } from '../bookings/statements';
import type { Snapshot } from '../catalog/snapshot';
import { refuseStale } from '../catalog/stale';

/** The synthetic customer of every example. */
const CUSTOMER = { name: 'Robin Sample', phone: '+493023125234' };

export type ExampleBooking = {
  applicationId: string;
  reference: string;
  externalReference: string;
  serviceId: string;
  locationId: string;
  date: string;
  startTime: string;
};

/**
 * Makes a booking of an application without a request of it, unless a booking has the reference. Returns whether it was made
 * now. If the slot cannot be booked anymore, makes none.
 */
export async function makeExampleBooking(now: Date, catalog: Snapshot, example: ExampleBooking): Promise<boolean> {
  try {
    return await writeTransaction(beginBudget(), catalog.tenantId, (tx) => book(tx, now, catalog, example));
  } catch (error) {
    if (error instanceof AppError && error.code === 'booking_unavailable') return false;
    throw error;
  }
}

async function book(tx: WriteTx, now: Date, catalog: Snapshot, example: ExampleBooking): Promise<boolean> {
  const { applicationId, reference, externalReference, date, startTime } = example;
  const { tenantId } = catalog;
  await tx.run(bookingLock(reference));
  await refuseStale(tx, catalog);
  const [known] = await tx.query(FIND_BOOKING_OF_TENANT, { reference, tenantId });
  if (known) return false;
  const offer = resolveReschedule(catalog, example.serviceId, example.locationId);
  const request = { offer, now, body: { date, start_time: startTime } };
  const { slot, claims } = bookableSlot(request, await readBusyDay(tx, request));
  const booking = {
    offer,
    reference,
    body: {
      ...request.body,
      external_reference: externalReference,
      customer: { consent_source: undefined, consent_text_version: undefined },
    },
    customer: sealCustomer(reference, CUSTOMER),
    options: sealOptions(reference, {}),
    ...storedHashes(tenantId, CUSTOMER),
  };
  for (const specialist of rankSpecialists(slot, claims, localDayBounds(offer.location.zone, date))) {
    const row = newRow({ tenantId, applicationId, now }, booking, slot, specialist.specialistId);
    const event = bookingEvent({ type: 'booking.created', row, previous: null, actor: 'partner' });
    const change = changeValues({ row, event, requestId: null, response: null });
    if (await takeSeat(tx, CREATE_BOOKING, specialist, { ...change, ...newValues(row, booking, slot) })) return true;
  }
  throw unavailable('slot_taken');
}
