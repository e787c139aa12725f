import { type Booking, pages, type partnerClient, type Slot } from '@/lib/contract/client';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Api, type Outcome, refusalOf } from './api';
import { reasonAt, type UnavailableReason } from './refused-start';

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

const refused = (
  code: 'booking_unavailable' | 'booking_version_conflict',
  reason: UnavailableReason | null = null,
) => ({
  error: refusalOf(new AppError(code, reason ? { reason } : {})),
});

/** Returns what a create would answer now. The same engine decides both, and states the reason (contract B6, B18). */
export async function dryCreate(api: Api, wanted: Wanted): Promise<Outcome> {
  const { outcome } = await api.call(async (client) => ({ slot: await slotAt(client, wanted) }));
  // A create of an unpublished record is refused with a reason, and a read with a 404 (contract B3).
  if ('error' in outcome && outcome.error.code !== 'not_found') return outcome;
  const { slot } = ('data' in outcome ? outcome.data : { slot: null }) as { slot: Slot | null };
  if (slot) return { data: { dry_run: true, status: 201, slot } };
  const { service_id, location_id, specialist_id, date, start_time } = wanted;
  const query = { service_id, location_id, specialist_id, date };
  const explained = await api.call(async (client) => ({ reason: await reasonAt(client, query, start_time) }));
  if ('error' in explained.outcome) return explained.outcome;
  return refused('booking_unavailable', (explained.outcome.data as { reason: UnavailableReason | null }).reason);
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
    return refused('booking_unavailable', 'outside_cancellation_window');
  if (!target) return { data: { dry_run: true, status: 200, booking } };
  const { service_id, location_id } = booking;
  const found = await dryCreate(api, { ...target, service_id, location_id, exclude_reference: reference });
  if ('error' in found) return found;
  const { slot } = found.data as { slot: Slot };
  // A reschedule keeps the specialist if possible.
  if (slot.starts_at === booking.starts_at && slot.specialist_ids.includes(booking.specialist_id))
    return refused('booking_unavailable', 'same_slot');
  return { data: { ...found.data, status: 200, booking } };
}
