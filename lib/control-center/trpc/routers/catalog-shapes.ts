import { z } from 'zod';
import { BLOCKERS } from '@/lib/booking/catalog/edit/day-preview';
import { OUTSIDE_REASONS } from '@/lib/booking/catalog/edit/outside';
import { slot } from '@/lib/contract/availability';
import { boundedText } from '@/lib/contract/bounded-text';
import { price } from '@/lib/contract/catalog';
import { count } from '../inputs';

const texts = z.record(z.string(), z.string());
const hours = z.strictObject({ opens: z.string(), closes: z.string() });
const weekly = z.array(z.strictObject({ weekday: z.int(), ...hours.shape }));
const exceptions = z.array(z.strictObject({ date: z.string(), hours: z.array(hours), note: z.string().nullable() }));

// Each output schema lists its fields, so that a new column is not sent by accident. The schemas check only the types
// of the values, because the values were validated before they were stored.

export const serviceShape = z.strictObject({
  published: z.boolean(),
  name: texts,
  description: texts.nullable(),
  category: texts.nullable(),
  duration_minutes: count,
  slot_interval_minutes: count,
  buffer_before_minutes: count,
  buffer_after_minutes: count,
  capacity: count,
  price: price.nullable(),
  min_lead_minutes: count,
  max_advance_days: count,
  cancellation_cutoff_minutes: count,
});

export const locationShape = z.strictObject({
  published: z.boolean(),
  name: texts,
  address: z.strictObject({ line1: z.string(), city: z.string(), postal_code: z.string(), country: z.string() }),
  time_zone: z.string(),
  phone: z.string().nullable(),
  hours: weekly,
  exceptions,
});

export const specialistShape = z.strictObject({
  published: z.boolean(),
  display_name: z.string(),
  title: texts.nullable(),
  description: texts.nullable(),
  image_url: z.string().nullable(),
  workplaces: z.array(
    z.strictObject({ location_id: z.string(), service_ids: z.array(z.string()), hours: weekly, exceptions }),
  ),
  breaks: weekly,
  time_off: z.array(z.strictObject({ from: z.string(), to: z.string() })),
});

/** In `affectedShape`, one that would be outside after a change that the owner has not yet confirmed. */
const outsideBooking = z.strictObject({
  reference: z.string(),
  reason: z.enum(OUTSIDE_REASONS),
  date: z.string(),
  start_time: z.string(),
  end_time: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  time_zone: z.string(),
  service_id: z.string(),
  service_name: z.string(),
  location_id: z.string(),
  location_name: z.string(),
  specialist_id: z.string(),
  specialist_name: z.string(),
});

export const outsideShape = z.strictObject({
  upcoming: count,
  count,
  complete: z.boolean(),
  first: z.array(outsideBooking),
});

export const affectedShape = z.strictObject({
  count,
  complete: z.boolean(),
  first: z.array(outsideBooking),
  digest: z.string(),
});

/** The result of a change that was not applied, because an owner must first confirm its effect on bookings. */
export const unconfirmedShape = z.strictObject({ affected: affectedShape });

/**
 * The digest of the affected bookings that the owner has confirmed. A page sends `none` until it has shown affected
 * bookings. If this field is missing, the change is made without asking for a confirmation.
 */
export const confirmedInput = boundedText(64).optional();

const common = { id: z.string(), name: z.string(), published: z.boolean() };

export const nextPriceShape = z.strictObject({ ...price.shape, valid_from: z.string() });

export const serviceSummary = z.strictObject({
  ...common,
  category: z.string().nullable(),
  duration_minutes: count,
  capacity: count,
  price_amount: count.nullable(),
  price_currency: z.string().nullable(),
  next_price: nextPriceShape.nullable(),
  specialist_count: count,
  location_count: count,
});

export const locationSummary = z.strictObject({
  ...common,
  city: z.string(),
  time_zone: z.string(),
  specialist_count: count,
  service_count: count,
});

export const specialistSummary = z.strictObject({
  ...common,
  title: z.string().nullable(),
  service_count: count,
  location_names: z.array(z.string()),
});

export const choicesShape = z.strictObject({
  locales: z.array(z.string()),
  default_locale: z.string(),
  services: z.array(z.strictObject(common)),
  locations: z.array(
    z.strictObject({
      ...common,
      time_zone: z.string(),
      hours: z.array(z.strictObject({ weekday: z.int(), opens: z.string(), closes: z.string() })),
    }),
  ),
  specialists: z.array(z.strictObject(common)),
});

/** The slots of one day, as partners receive them. */
export const previewShape = z.strictObject({
  time_zone: z.string(),
  bookable_from: z.string(),
  bookable_until: z.string(),
  blockers: z.array(z.enum(BLOCKERS)),
  slots: z.array(slot),
  refused: z.array(
    z.strictObject({
      from: z.string(),
      to: z.string(),
      count,
      reason: z.string(),
      specialists: z.array(z.strictObject({ id: z.string(), reason: z.string().nullable() })),
      more_specialists: count,
    }),
  ),
  asked: z.strictObject({ start_time: z.string(), reason: z.string().nullable() }).nullable(),
  specialists: z.array(z.strictObject({ id: z.string(), name: z.string() })),
});

export const zonesShape = z.array(
  z.strictObject({
    name: z.string(),
    offset: z.string(),
    country: z.string().nullable(),
    country_code: z.string().nullable(),
    other_names: z.array(z.string()),
  }),
);
