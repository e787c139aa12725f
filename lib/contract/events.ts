import { z } from 'zod';
import { bookingReference, bookingStatus } from './bookings';
import { eventToken, issuedId } from './common';
import { line, MAX_INTEGER, MAX_SEQUENCE } from './text';
import { instant, localDate, localStart, startsAt, times } from './times';

/**
 * Types of booking events (contract B11). Each version of a booking has one event. `booking.upcoming` and `booking.anonymized`
 * change no version, so their version has another event.
 */
export const BOOKING_EVENT_TYPES = [
  'booking.created',
  'booking.rescheduled',
  'booking.updated',
  'booking.cancelled',
  'booking.completed',
  'booking.no_show',
  'booking.upcoming',
  'booking.anonymized',
] as const;

/** Types of events that only tell what to read again (contract B17). They contain no data of a booking. */
export const THIN_EVENT_TYPES = ['availability.changed', 'catalog.changed'] as const;

/** Who makes changes. `system`: `booking.updated`, `booking.upcoming`, and an automatic `booking.completed`. */
export const BOOKING_EVENT_ACTORS = ['partner', 'owner', 'system'] as const;

/** Hours before the start at which `booking.upcoming` is emitted (contract B11), first the earliest. */
export const UPCOMING_HOURS = [24, 2] as const;

/** Why a booking was updated (contract B11). */
export const UPDATE_CAUSES = ['time_zone_rules', 'reopened'] as const;

/** The type of the event with which an owner or a partner tests an endpoint. */
export const TEST_EVENT_TYPE = 'webhook.test';

const envelope = {
  id: issuedId('event').meta({
    description: 'Equal to the `webhook-id` header. The id is the same on every retry and replay.',
  }),
  timestamp: instant.meta({ description: 'Time of the event.', examples: ['2026-09-01T08:00:00.000Z'] }),
  api_version: z.literal('v1'),
  environment: z.enum(['TEST', 'LIVE']).meta({ examples: ['TEST'] }),
  // Last in the payload. Optional, because events that are older than the field lack it.
  sequence: z
    .int()
    .min(1)
    .max(MAX_SEQUENCE)
    .optional()
    .meta({
      description:
        'The number of the event among all events of your application, without a gap, in the order of the changes. Equal to the `webhook-sequence` header. Only an event that is older than this field, or a delivery more than 30 days after its event, lacks it.',
      examples: [4711],
    }),
};

const eventBooking = z.strictObject({
  reference: bookingReference,
  external_reference: z
    .string()
    .meta({ ...line(128, 1), description: 'Your own reference.', examples: ['order-4711'] }),
  version: z
    .int()
    .min(1)
    .max(MAX_INTEGER)
    .meta({
      description: "The booking's version. Use it to order events, because events may arrive in any order.",
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
    previous: previous.nullable().meta({
      description: 'The slot before a `booking.rescheduled` or `booking.updated`. Null for other types.',
    }),
    actor: z.enum(BOOKING_EVENT_ACTORS).meta({
      description:
        'Who made the change. `system` for a `booking.upcoming`, a `booking.updated` because of time zone rules, and a `booking.completed` that the business has automated.',
      examples: ['partner'],
    }),
    cause: z
      .enum(UPDATE_CAUSES)
      .optional()
      .meta({
        description:
          'Only in `booking.updated`. `time_zone_rules`: the rules of the time zone changed. The local date and start time stay, and `starts_at` and `ends_at` move. If the clock changes during the appointment, `end_time` may move too, or alone. `reopened`: the owner undid a completion or a no-show, so `status` is `confirmed` again. Nothing moves.',
        examples: ['time_zone_rules'],
      }),
    hours_before: z
      .int()
      .min(UPCOMING_HOURS[1])
      .max(UPCOMING_HOURS[0])
      .optional()
      .meta({
        description:
          'Only in `booking.upcoming`: 24 or 2, the hours before the start from which the event is emitted. Compare `starts_at` with your clock, because a delivery can be late.',
        examples: [24],
      }),
  }),
});

/** Maximum number of changes in one `availability.changed`, and of dates in one of its changes. */
export const MAX_CHANGES = 100;
export const MAX_CHANGE_DATES = 62;

const changedDate = (which: string) =>
  localDate.nullable().meta({
    description: `The ${which} date on which free slots may have changed, in the time zone of the location. Null: every date.`,
    examples: ['2026-09-14'],
  });

const availabilityChange = z.strictObject({
  service_id: issuedId('service').nullable().meta({ description: 'Null: every service.' }),
  location_id: issuedId('location').nullable().meta({ description: 'Null: every location that you may use.' }),
  date: changedDate('first'),
  date_to: changedDate('last'),
  dates: z
    .array(localDate)
    .min(1)
    .max(MAX_CHANGE_DATES)
    .nullable()
    .meta({
      description: 'The dates, in order. Null: every date from `date` to `date_to`.',
      examples: [['2026-09-14', '2026-09-15']],
    }),
});

/** Payload of `availability.changed` (contract B17). */
export const availabilityChangedPayload = z.strictObject({
  ...envelope,
  type: z.literal('availability.changed'),
  data: z.strictObject({
    changes: z
      .array(availabilityChange)
      .min(1)
      .max(MAX_CHANGES)
      .meta({ description: 'What to read again. Everything else has not changed since the event before.' }),
    token: eventToken,
  }),
});

/** Payload of `catalog.changed` (contract B17). */
export const catalogChangedPayload = z.strictObject({
  ...envelope,
  type: z.literal('catalog.changed'),
  data: z.strictObject({ token: eventToken }),
});

/** Payload of `webhook.test` (contract B11). */
export const testEventPayload = z.strictObject({
  ...envelope,
  type: z.literal(TEST_EVENT_TYPE),
  data: z.strictObject({}),
});
