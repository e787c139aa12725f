import type { BOOKING_EVENT_ACTORS, BOOKING_EVENT_TYPES, UPCOMING_HOURS, UPDATE_CAUSES } from '@/lib/contract/events';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { bookingTimes } from '../availability';
import { instant } from './record';
import type { BookingRow } from './row';

export type BookingEventType = (typeof BOOKING_EVENT_TYPES)[number];

/** Written in the same transaction as its booking. */
export type BookingEvent = {
  id: string;
  type: BookingEventType;
  /** Exactly as signed and sent. */
  payload: string;
  actor: BookingEventActor;
};

type BookingEventActor = (typeof BOOKING_EVENT_ACTORS)[number];

type Change = {
  type: BookingEventType;
  row: BookingRow;
  previous: BookingRow | null;
  actor: BookingEventActor;
  /** Only a `booking.updated` has a cause. */
  cause?: (typeof UPDATE_CAUSES)[number];
  /** Only of a `booking.upcoming`, which is no change. */
  upcoming?: { id: string; at: Date; hours: (typeof UPCOMING_HOURS)[number] };
  /** Only of a `booking.anonymized`, which changes no version. */
  anonymized?: { id: string; at: Date };
};

/**
 * Returns the event for a booking's new version, or one that changes no version (contract B11). The payload contains no customer
 * data.
 */
export function bookingEvent({ type, row, previous, actor, cause, upcoming, anonymized }: Change): BookingEvent {
  const emitted = upcoming ?? anonymized;
  const id = emitted?.id ?? newId('evt');
  const { reference, external_reference, version, status, service_id, location_id, specialist_id } = row;
  const booking = {
    reference,
    external_reference,
    version,
    status,
    service_id,
    location_id,
    specialist_id,
    ...bookingTimes(row),
  };
  const payload = JSON.stringify({
    id,
    type,
    timestamp: instant(emitted?.at ?? row.updated_at),
    api_version: 'v1',
    environment: env().ENVIRONMENT,
    data: {
      booking,
      previous: previous && previousOf(previous),
      actor,
      ...(cause && { cause }),
      ...(upcoming && { hours_before: upcoming.hours }),
    },
  });
  return { id, type, payload, actor };
}

function previousOf(row: BookingRow) {
  const { date, start_time, starts_at } = bookingTimes(row);
  return { date, start_time, starts_at, specialist_id: row.specialist_id };
}
