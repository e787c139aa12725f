import { z } from 'zod';
import { bookingReference, bookingStatus } from './bookings';
import { EXAMPLE_IDS, issuedId } from './common';
import { instant, localDate, localStart, startsAt, times } from './times';

/** Types of booking events. Each version of a booking has exactly one event (contract B11). */
export const BOOKING_EVENT_TYPES = [
  'booking.created',
  'booking.rescheduled',
  'booking.cancelled',
  'booking.completed',
  'booking.no_show',
] as const;

/** Type of the event that an owner sends to test an endpoint. */
export const TEST_EVENT_TYPE = 'webhook.test';

const envelope = {
  id: issuedId('event').meta({ description: 'Equal to the `webhook-id` header. The same on every retry and replay.' }),
  timestamp: instant.meta({ description: 'Time of the event.', examples: ['2026-09-01T08:00:00.000Z'] }),
  api_version: z.literal('v1'),
  environment: z.enum(['TEST', 'LIVE']).meta({ examples: ['TEST'] }),
};

const eventBooking = z.strictObject({
  reference: bookingReference,
  external_reference: z.string().meta({ description: 'Your own reference.', examples: ['order-4711'] }),
  version: z
    .int()
    .min(1)
    .meta({
      description: 'Version of the booking. Use it to order events: they may arrive in any order.',
      examples: [2],
    }),
  status: bookingStatus.meta({ examples: ['confirmed'] }),
  service_id: issuedId('service'),
  location_id: issuedId('location'),
  specialist_id: issuedId('specialist'),
  ...times,
});

const previous = z.strictObject({
  date: localDate,
  start_time: localStart,
  starts_at: startsAt,
  specialist_id: issuedId('specialist'),
});

/** Payload of a booking event (contract B11). It must not contain customer data. */
export const bookingEventPayload = z.strictObject({
  ...envelope,
  type: z.enum(BOOKING_EVENT_TYPES).meta({ examples: ['booking.rescheduled'] }),
  data: z.strictObject({
    booking: eventBooking,
    previous: previous.nullable().meta({ description: 'The previous slot. Null except on a reschedule.' }),
    actor: z.enum(['partner', 'owner']).meta({ description: 'Who made the change.', examples: ['partner'] }),
  }),
});

/** Payload of `webhook.test` (contract B11). */
export const testEventPayload = z.strictObject({
  ...envelope,
  type: z.literal(TEST_EVENT_TYPE),
  data: z.strictObject({}),
});

type BookingEvent = z.infer<typeof bookingEventPayload>;

/** An example event for the documentation. */
export const EXAMPLE_EVENT: BookingEvent = {
  id: EXAMPLE_IDS.event,
  type: 'booking.rescheduled',
  timestamp: '2026-09-02T10:00:00.000Z',
  api_version: 'v1',
  environment: 'TEST',
  data: {
    booking: {
      reference: EXAMPLE_IDS.booking,
      external_reference: 'order-4711',
      version: 2,
      status: 'confirmed',
      service_id: EXAMPLE_IDS.service,
      location_id: EXAMPLE_IDS.location,
      specialist_id: EXAMPLE_IDS.specialist,
      date: '2026-09-15',
      start_time: '11:00',
      end_time: '11:45',
      starts_at: '2026-09-15T11:00:00+02:00',
      ends_at: '2026-09-15T11:45:00+02:00',
      time_zone: 'Europe/Berlin',
    },
    previous: {
      date: '2026-09-14',
      start_time: '09:30',
      starts_at: '2026-09-14T09:30:00+02:00',
      specialist_id: EXAMPLE_IDS.specialist,
    },
    actor: 'partner',
  },
};

/** Returns a copy of `EXAMPLE_EVENT` with another type and timestamp, and with the changes in `booking`. */
function exampleEvent(
  type: BookingEvent['type'],
  timestamp: string,
  booking: Partial<BookingEvent['data']['booking']>,
) {
  const { data } = EXAMPLE_EVENT;
  const actor = type === 'booking.completed' || type === 'booking.no_show' ? 'owner' : 'partner';
  return {
    ...EXAMPLE_EVENT,
    type,
    timestamp,
    data: { booking: { ...data.booking, ...booking }, previous: null, actor },
  } satisfies BookingEvent;
}

/**
 * An example of each type of booking event. All examples are about one booking, which is created, rescheduled, and then
 * either cancelled, completed, or marked as a no-show.
 */
export const EXAMPLE_EVENTS: Record<BookingEvent['type'], BookingEvent> = {
  'booking.created': exampleEvent('booking.created', '2026-09-01T08:00:00.000Z', {
    version: 1,
    date: '2026-09-14',
    start_time: '09:30',
    end_time: '10:15',
    starts_at: '2026-09-14T09:30:00+02:00',
    ends_at: '2026-09-14T10:15:00+02:00',
  }),
  'booking.rescheduled': EXAMPLE_EVENT,
  'booking.cancelled': exampleEvent('booking.cancelled', '2026-09-03T10:00:00.000Z', {
    version: 3,
    status: 'cancelled',
  }),
  'booking.completed': exampleEvent('booking.completed', '2026-09-15T09:50:00.000Z', {
    version: 3,
    status: 'completed',
  }),
  'booking.no_show': exampleEvent('booking.no_show', '2026-09-15T09:20:00.000Z', { version: 3, status: 'no_show' }),
};
