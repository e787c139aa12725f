import { z } from 'zod';
import { boundedText } from './bounded-text';
import {
  answerTokenField,
  cursorParameter,
  issuedId,
  issuedIds,
  limitParameter,
  localeParameter,
  minTokenParameter,
  nextCursor,
} from './common';
import { line, lines, MAX_INTEGER, MAX_RECORDS, shaped, TIME_ZONE } from './text';

/** Query of `GET /catalog` (contract B4). */
export const catalogQuery = z.strictObject({
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
  min_token: minTokenParameter.optional(),
});

const DAY = 1_440;
const YEAR = 525_600;

const minutes = (min: number, max: number, description: string, example: number) =>
  z
    .int()
    .min(min)
    .max(max)
    .meta({ description, examples: [example] });

const localized = (name: string, example: string) => ({
  description: `${name}, in the response language.`,
  examples: [example],
});

const shortText = z.string().meta(line(200));

/** A price in minor units of an ISO 4217 currency (contract B4). */
export const price = z.strictObject({
  amount: z
    .int()
    .min(0)
    .max(MAX_INTEGER)
    .meta({
      description: 'In minor units of ISO 4217: 4900 is 49.00 EUR, 900000 is 9,000.00 HUF, 4900 is 4,900 JPY.',
      examples: [4900],
    }),
  currency: boundedText(3)
    .regex(/^[A-Z]{3}$/)
    .meta({
      maxLength: 3,
      description: 'ISO 4217 code. The guide to prices lists the currencies and their decimals.',
      examples: ['EUR'],
    }),
});

/** A published service as partners see it, without its internal buffers (contract B4). */
export const service = z.strictObject({
  id: issuedId('service'),
  name: shortText.meta(localized('Name', 'Haircut')),
  description: z
    .string()
    .meta(lines(20_000))
    .nullable()
    .meta(localized('Description, possibly with several lines', 'Wash, cut and finish.')),
  category: shortText.nullable().meta(localized('Category, as text', 'Hair')),
  duration_minutes: minutes(1, DAY, 'Duration, without the internal buffers.', 45),
  slot_interval_minutes: minutes(1, DAY, 'Interval between possible start times, counted from local midnight.', 15),
  price: price.nullable().meta({ description: 'Null if the service has no public price.' }),
  capacity: z
    .int()
    .min(1)
    .max(10_000)
    .meta({
      description:
        'Maximum number of customers per specialist at the same start time. If it is more than 1, the service is a group session.',
      examples: [1],
    }),
  min_lead_minutes: minutes(0, YEAR, 'Minimum time between booking and start.', 60),
  max_advance_days: minutes(0, 1_825, 'How far in advance the service can be booked, in days of 24 hours.', 60),
  cancellation_cutoff_minutes: minutes(0, YEAR, 'You may cancel or reschedule up to this long before the start.', 1440),
  location_ids: issuedIds('location', 'Your locations that offer the service.'),
});

/** A published location as partners see it (contract B4). */
export const location = z.strictObject({
  id: issuedId('location'),
  name: shortText.meta(localized('Name', 'Studio Mitte')),
  address: z
    .strictObject({
      line1: z.string().meta({ ...line(200), description: 'Street and number.', examples: ['1 Example Street'] }),
      city: z.string().meta({ ...line(200), description: 'City.', examples: ['Berlin'] }),
      postal_code: z.string().meta({ ...line(20), description: 'Postal code.', examples: ['10115'] }),
      country: z.string().meta({ ...shaped('^[A-Z]{2}$', 2, 2), description: 'ISO 3166-1 alpha-2.', examples: ['DE'] }),
    })
    .meta({ description: 'Postal address, not localized.' }),
  time_zone: z.string().meta({
    ...TIME_ZONE,
    description: 'IANA time zone. The dates and times of slots and bookings at this location are in this zone.',
    examples: ['Europe/Berlin'],
  }),
  phone: z
    .string()
    .meta(line(40))
    .nullable()
    .meta({ description: "The location's phone number, for customers.", examples: [null] }),
});

/** Data of `GET /catalog` (contract B4): a page of services, ordered by id, and locations: all on the first page. */
export const catalogData = z.strictObject({
  services: z.array(service).max(50).meta({ description: 'The services on this page, ordered by id.' }),
  locations: z.array(location).max(MAX_RECORDS).meta({
    description:
      'On the first page, all of your locations. On other pages, the locations of the services on this page, again.',
  }),
  next_cursor: nextCursor,
  token: answerTokenField,
});
