import { z } from 'zod';
import { BOOKING_EVENT_TYPES, bookingEventPayload, TEST_EVENT_TYPE, testEventPayload } from './events';
import { RECORDED_EVENTS } from './examples';

type BookingEvent = z.infer<typeof bookingEventPayload>;

/** An example of each type of booking event, all about one booking. */
export const EXAMPLE_EVENTS = z
  .record(z.enum(BOOKING_EVENT_TYPES), bookingEventPayload)
  .parse(Object.fromEntries(BOOKING_EVENT_TYPES.map((type) => [type, RECORDED_EVENTS[type]])));

export const EXAMPLE_EVENT: BookingEvent = EXAMPLE_EVENTS['booking.rescheduled'];

export const EXAMPLE_TEST_EVENT = testEventPayload.parse(RECORDED_EVENTS[TEST_EVENT_TYPE]);
