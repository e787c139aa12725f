import { AppError } from '@/lib/contract/errors/app-error';
import { bookingLock } from '@/lib/platform/locks';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { bookingEvent } from '../bookings/change';
import { takeFirstSeat } from '../bookings/create';
import { sealCustomer, sealOptions, storedHashes } from '../bookings/customer';
import { bookableSlot, readBusyDay, resolveReschedule, unavailable } from '../bookings/resolve';
import { FIND_BOOKING_OF_TENANT } from '../bookings/statements';
import { refuseStale, type Snapshot } from '../catalog/snapshot';

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
  const found = bookableSlot(request, await readBusyDay(tx, request));
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
  const made = await takeFirstSeat(tx, { maker: { tenantId, applicationId, now }, booking, found }, (row) => {
    const event = bookingEvent({ type: 'booking.created', row, previous: null, actor: 'partner' });
    return { change: { row, event } };
  });
  if (!made) throw unavailable('slot_taken');
  return true;
}
