import { type Booking, pages, type partnerClient, type Slot } from '@/lib/contract/client';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Api, type Outcome, refusalOf } from './api';

type Client = ReturnType<typeof partnerClient>;
type Wanted = {
  service_id: string;
  location_id?: string | undefined;
  specialist_id?: string | undefined;
  exclude_reference?: string | undefined;
  date: string;
  start_time: string;
};

/** Slots are at least a minute apart, so a day has at most 15 pages. */
async function slotAt(client: Client, wanted: Wanted): Promise<Slot | null> {
  const { service_id, location_id, specialist_id, exclude_reference, date, start_time } = wanted;
  const query = { service_id, location_id, specialist_id, exclude_reference, date, limit: 96 };
  for await (const { slots } of pages(client.listAvailability, query)) {
    const slot = slots.find((one) => one.start_time === start_time);
    if (slot) return slot;
  }
  return null;
}

const refused = (code: 'booking_unavailable' | 'booking_version_conflict', reason?: 'booking_not_active') => ({
  error: refusalOf(new AppError(code, reason ? { reason } : {})),
});

/** Returns what a create would answer now. The same engine decides both (contract B6). */
export async function dryCreate(api: Api, wanted: Wanted): Promise<Outcome> {
  const { outcome } = await api.call(async (client) => ({ slot: await slotAt(client, wanted) }));
  if ('error' in outcome) return outcome;
  const { slot } = outcome.data as { slot: Slot | null };
  return slot ? { data: { dry_run: true, status: 201, slot } } : refused('booking_unavailable');
}

type Change = {
  reference: string;
  expected_version: number;
  /** Null for a cancellation. */
  target: { date: string; start_time: string; specialist_id?: string | undefined } | null;
};

/** Returns what a change of a booking would answer now, in the order of the API's checks (contract B7). */
export async function dryChange(api: Api, { reference, expected_version, target }: Change): Promise<Outcome> {
  const { outcome } = await api.call((client) => client.readBooking(reference));
  if ('error' in outcome) return outcome;
  const { booking } = outcome.data as { booking: Booking };
  if (booking.version !== expected_version) return refused('booking_version_conflict');
  if (booking.status !== 'confirmed') return refused('booking_unavailable', 'booking_not_active');
  if (!(target ? booking.reschedulable : booking.cancellable))
    return { error: refusalOf(new AppError('booking_unavailable', { reason: 'outside_cancellation_window' })) };
  if (!target) return { data: { dry_run: true, status: 200, booking } };
  const { service_id, location_id } = booking;
  const found = await dryCreate(api, { ...target, service_id, location_id, exclude_reference: reference });
  if ('error' in found) return found;
  return { data: { ...found.data, status: 200, booking } };
}
