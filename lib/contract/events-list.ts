import { z } from 'zod';
import { latestSequence } from './bookings-list';
import { boundedText } from './bounded-text';
import { limitParameter } from './common';
import { availabilityChangedPayload, bookingEventPayload, catalogChangedPayload, testEventPayload } from './events';
import { MAX_SEQUENCE } from './text';

/** Maximum number of events per page (contract B16). */
const MAX_EVENTS = 100;

const SEQUENCE = `must be a whole number from 0 to ${MAX_SEQUENCE}`;

/** Query of `GET /events` (contract B16). */
export const eventsQuery = z.strictObject({
  after: boundedText(16, SEQUENCE)
    .regex(/^[0-9]{1,16}$/, SEQUENCE)
    .transform(Number)
    .pipe(z.int(SEQUENCE).max(MAX_SEQUENCE, SEQUENCE))
    .meta({
      description:
        'The `sequence` of the last event that you have processed, or that of a list or digest. Without it, the list begins with your oldest event that is kept.',
      examples: [4711],
    })
    .optional(),
  limit: limitParameter(MAX_EVENTS, MAX_EVENTS),
});

/** Data of `GET /events`. */
export const eventsData = z.strictObject({
  events: z
    .array(z.union([bookingEventPayload, availabilityChangedPayload, catalogChangedPayload, testEventPayload]))
    .max(MAX_EVENTS)
    .meta({
      description:
        'By `sequence`, without a gap: the same payloads as those of webhooks. Empty if there is no later one.',
    }),
  latest_sequence: latestSequence.meta({
    description: 'The sequence of your latest event, or 0. You have all events when your `after` is equal to it.',
    examples: [4711],
  }),
});
