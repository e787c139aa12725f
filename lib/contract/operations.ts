import { z } from 'zod';
import { availabilityData, availabilityQuery } from './availability';
import { bookingData, cancelBody, createBookingBody, rescheduleBody } from './bookings';
import { catalogData, catalogQuery } from './catalog';
import type { Scope } from './common';
import { specialistsData, specialistsQuery } from './specialists';

/** One route of the public API, as routes, edge, OpenAPI and tests read it. */
export type Operation = {
  id: string;
  method: 'GET' | 'POST';
  /** Path below the base path, with `{name}` for one variable segment. */
  path: string;
  scope: Scope;
  /** One line of what it does, and what a caller should know (contract section in brackets). */
  summary: string;
  description: string;
  query: z.ZodObject;
  /** Of a write: its body. A write needs an Idempotency-Key. */
  body?: z.ZodType;
  data: z.ZodType;
};

/** An operation that changes something. */
export type WriteOperation = Operation & { body: z.ZodType };

/** Base path of the public API. */
export const BASE_PATH = '/api/partner/v1';

const noQuery = z.strictObject({});

/** `GET /catalog`. */
export const listCatalog = {
  id: 'listCatalog',
  method: 'GET',
  path: '/catalog',
  scope: 'catalog.read',
  summary: 'List services and locations',
  description: 'Published services and the locations where you may book them, ordered by id, a page at a time.',
  query: catalogQuery,
  data: catalogData,
} as const satisfies Operation;

/** `GET /catalog/specialists`. */
export const listSpecialists = {
  id: 'listSpecialists',
  method: 'GET',
  path: '/catalog/specialists',
  scope: 'catalog.read',
  summary: 'List specialists',
  description:
    'Published specialists, narrowed by service and location, ordered by id, a page at a time. With both filters, one offering matches both.',
  query: specialistsQuery,
  data: specialistsData,
} as const satisfies Operation;

/** `GET /availability`. */
export const listAvailability = {
  id: 'listAvailability',
  method: 'GET',
  path: '/availability',
  scope: 'availability.read',
  summary: 'List free slots',
  description:
    'Free starts under the current lead time, schedule and capacity, one slot per start, ordered by `starts_at`. A past date or one beyond the horizon has none.',
  query: availabilityQuery,
  data: availabilityData,
} as const satisfies Operation;

/** `POST /bookings`. */
export const createBooking = {
  id: 'createBooking',
  method: 'POST',
  path: '/bookings',
  scope: 'booking.create',
  summary: 'Create a booking',
  description:
    'Books exactly one service for one guest. What is booked is what availability would offer at this moment. Repeat it with the same `Idempotency-Key` whenever the outcome is uncertain.',
  query: noQuery,
  body: createBookingBody,
  data: bookingData,
} as const satisfies Operation;

/** `GET /bookings/{pbr_reference}`. */
export const readBooking = {
  id: 'readBooking',
  method: 'GET',
  path: '/bookings/{pbr_reference}',
  scope: 'booking.manage',
  summary: 'Read a booking',
  description: 'A booking of your application, with the version that the next change must name.',
  query: noQuery,
  data: bookingData,
} as const satisfies Operation;

/** `POST /bookings/{pbr_reference}/actions/cancel`. */
export const cancelBooking = {
  id: 'cancelBooking',
  method: 'POST',
  path: '/bookings/{pbr_reference}/actions/cancel',
  scope: 'booking.manage',
  summary: 'Cancel a booking',
  description: 'Frees the seat, until `change_deadline`. Versioned and idempotent.',
  query: noQuery,
  body: cancelBody,
  data: bookingData,
} as const satisfies Operation;

/** `POST /bookings/{pbr_reference}/actions/reschedule`. */
export const rescheduleBooking = {
  id: 'rescheduleBooking',
  method: 'POST',
  path: '/bookings/{pbr_reference}/actions/reschedule',
  scope: 'booking.manage',
  summary: 'Reschedule a booking',
  description:
    'Moves the booking to another start, until `change_deadline`; reference, service and location stay. Versioned and idempotent.',
  query: noQuery,
  body: rescheduleBody,
  data: bookingData,
} as const satisfies Operation;

/** Every operation of the public API: the one list of its routes. */
export const OPERATIONS: readonly Operation[] = [
  listCatalog,
  listSpecialists,
  listAvailability,
  createBooking,
  readBooking,
  cancelBooking,
  rescheduleBooking,
];
