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
  query: z.ZodType;
  /** Of a write: its body. A write needs an Idempotency-Key (contract B8). */
  body?: z.ZodType;
  data: z.ZodType;
};

/** An operation that changes something. */
export type WriteOperation = Operation & { body: z.ZodType };

/** Base path of the public API (contract A). */
export const BASE_PATH = '/api/partner/v1';

const noQuery = z.strictObject({});

/** `GET /catalog` (contract B4). */
export const listCatalog = {
  id: 'listCatalog',
  method: 'GET',
  path: '/catalog',
  scope: 'catalog.read',
  query: catalogQuery,
  data: catalogData,
} as const satisfies Operation;

/** `GET /catalog/specialists` (contract B5). */
export const listSpecialists = {
  id: 'listSpecialists',
  method: 'GET',
  path: '/catalog/specialists',
  scope: 'catalog.read',
  query: specialistsQuery,
  data: specialistsData,
} as const satisfies Operation;

/** `GET /availability` (contract B6). */
export const listAvailability = {
  id: 'listAvailability',
  method: 'GET',
  path: '/availability',
  scope: 'availability.read',
  query: availabilityQuery,
  data: availabilityData,
} as const satisfies Operation;

/** `POST /bookings` (contract B7). */
export const createBooking = {
  id: 'createBooking',
  method: 'POST',
  path: '/bookings',
  scope: 'booking.create',
  query: noQuery,
  body: createBookingBody,
  data: bookingData,
} as const satisfies Operation;

/** `GET /bookings/{pbr_reference}` (contract B7). */
export const readBooking = {
  id: 'readBooking',
  method: 'GET',
  path: '/bookings/{pbr_reference}',
  scope: 'booking.manage',
  query: noQuery,
  data: bookingData,
} as const satisfies Operation;

/** `POST /bookings/{pbr_reference}/actions/cancel` (contract B7). */
export const cancelBooking = {
  id: 'cancelBooking',
  method: 'POST',
  path: '/bookings/{pbr_reference}/actions/cancel',
  scope: 'booking.manage',
  query: noQuery,
  body: cancelBody,
  data: bookingData,
} as const satisfies Operation;

/** `POST /bookings/{pbr_reference}/actions/reschedule` (contract B7). */
export const rescheduleBooking = {
  id: 'rescheduleBooking',
  method: 'POST',
  path: '/bookings/{pbr_reference}/actions/reschedule',
  scope: 'booking.manage',
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
