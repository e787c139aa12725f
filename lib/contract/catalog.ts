import { z } from 'zod';
import { cursorParameter, limitParameter, localeParameter } from './common';

/** Query of `GET /catalog` (contract B4). */
export const catalogQuery = z.strictObject({
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
});

/** A price in minor units of an ISO 4217 currency. */
export const price = z.strictObject({ amount: z.int().min(0), currency: z.string().regex(/^[A-Z]{3}$/) });

/** A published service as partners see it (contract B4). Buffers are internal and never shown. */
export const service = z.strictObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  duration_minutes: z.int().min(1),
  slot_interval_minutes: z.int().min(1),
  price: price.nullable(),
  capacity: z.int().min(1),
  min_lead_minutes: z.int().min(0),
  max_advance_days: z.int().min(0),
  cancellation_cutoff_minutes: z.int().min(0),
  location_ids: z.array(z.string()),
});

/** A published location as partners see it (contract B4). */
export const location = z.strictObject({
  id: z.string(),
  name: z.string(),
  address: z.strictObject({ line1: z.string(), city: z.string(), postal_code: z.string(), country: z.string() }),
  time_zone: z.string(),
  phone: z.string().nullable(),
});

/** Data of `GET /catalog` (contract B4): a page of services and the locations they refer to, ordered by id. */
export const catalogData = z.strictObject({
  services: z.array(service),
  locations: z.array(location),
  next_cursor: z.string().nullable(),
});
