import { z } from 'zod';
import { cursorParameter, EXAMPLE_IDS, issuedId, limitParameter, localeParameter, nextCursor } from './common';

/** Query of `GET /catalog` (contract B4). */
export const catalogQuery = z.strictObject({
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
});

const minutes = (min: number, description: string, example: number) =>
  z
    .int()
    .min(min)
    .meta({ description, examples: [example] });

const localized = (example: string | null) => ({
  description: 'In the language of the response.',
  examples: [example],
});

/** A price in minor units of an ISO 4217 currency. */
export const price = z.strictObject({
  amount: z
    .int()
    .min(0)
    .meta({ description: 'In minor units: 4900 is 49.00 EUR.', examples: [4900] }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217.', examples: ['EUR'] }),
});

/** A published service as partners see it (contract B4). Buffers are internal and not included. */
export const service = z.strictObject({
  id: issuedId('service'),
  name: z.string().meta(localized('Haircut')),
  description: z.string().nullable().meta(localized('Wash, cut and finish.')),
  category: z.string().nullable().meta(localized('Hair')),
  duration_minutes: minutes(1, 'How long it takes.', 45),
  slot_interval_minutes: minutes(1, 'Interval between possible start times, counted from local midnight.', 15),
  price: price.nullable().meta({ description: 'Null if the service has no public price.' }),
  capacity: z
    .int()
    .min(1)
    .meta({ description: 'Customers per start time. Above 1, the service is a group session.', examples: [1] }),
  min_lead_minutes: minutes(0, 'Minimum time between booking and start.', 60),
  max_advance_days: minutes(0, 'How far in advance it can be booked, in days of 24 hours.', 60),
  cancellation_cutoff_minutes: minutes(0, 'You may cancel and reschedule until this long before the start.', 1440),
  location_ids: z
    .array(z.string())
    .meta({ description: 'Your locations that offer the service.', examples: [[EXAMPLE_IDS.location]] }),
});

/** A published location as partners see it (contract B4). */
export const location = z.strictObject({
  id: issuedId('location'),
  name: z.string().meta(localized('Studio Mitte')),
  address: z.strictObject({
    line1: z.string().meta({ examples: ['1 Example Street'] }),
    city: z.string().meta({ examples: ['Berlin'] }),
    postal_code: z.string().meta({ examples: ['10115'] }),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.', examples: ['DE'] }),
  }),
  time_zone: z.string().meta({ description: 'IANA time zone.', examples: ['Europe/Berlin'] }),
  phone: z
    .string()
    .nullable()
    .meta({ description: 'Phone number of the location, for customers.', examples: [null] }),
});

/**
 * Data of `GET /catalog` (contract B4): a page of services, ordered by id, and the locations to which these services
 * refer.
 */
export const catalogData = z.strictObject({
  services: z.array(service),
  locations: z.array(location),
  next_cursor: nextCursor,
});
