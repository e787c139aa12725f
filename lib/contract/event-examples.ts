import { z } from 'zod';
import { EXAMPLE_IDS, EXAMPLE_TOKEN } from './common';
import {
  availabilityChangedPayload,
  BOOKING_EVENT_TYPES,
  bookingEventPayload,
  catalogChangedPayload,
  TEST_EVENT_TYPE,
  testEventPayload,
} from './events';
import { RECORDED_EVENTS } from './examples';

type BookingEvent = z.infer<typeof bookingEventPayload>;

/** An example of each type of booking event, all about one booking. */
export const EXAMPLE_EVENTS = z
  .record(z.enum(BOOKING_EVENT_TYPES), bookingEventPayload)
  .parse(Object.fromEntries(BOOKING_EVENT_TYPES.map((type) => [type, RECORDED_EVENTS[type]])));

export const EXAMPLE_EVENT: BookingEvent = EXAMPLE_EVENTS['booking.rescheduled'];

export const EXAMPLE_TEST_EVENT = testEventPayload.parse(RECORDED_EVENTS[TEST_EVENT_TYPE]);

const thin = (end: string, type: string, data: object) => ({
  ...EXAMPLE_TEST_EVENT,
  id: EXAMPLE_IDS.event.slice(0, -1) + end,
  type,
  data: { ...data, token: EXAMPLE_TOKEN },
});

const { service, location } = EXAMPLE_IDS;
const dates = ['2026-09-14', '2026-09-15'];

/** An example of each type of thin event. */
export const EXAMPLE_THIN_EVENTS = {
  'availability.changed': availabilityChangedPayload.parse(
    thin('2', 'availability.changed', {
      changes: [{ service_id: service, location_id: location, date: dates[0], date_to: dates[1], dates }],
    }),
  ),
  'catalog.changed': catalogChangedPayload.parse(thin('3', 'catalog.changed', {})),
};
