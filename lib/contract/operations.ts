import { z } from 'zod';
import { availabilityData, availabilityQuery } from './availability';
import { availabilityDaysData, availabilityDaysQuery } from './availability-days';
import { bookingData, cancelBody, createBookingBody, rescheduleBody } from './bookings';
import { bookingsData, bookingsQuery } from './bookings-list';
import { busyBody, busyData, removedBusyData } from './busy';
import { catalogData, catalogQuery } from './catalog';
import type { Scope } from './common';
import { digestData, digestQuery } from './digest';
import { eventsData, eventsQuery } from './events-list';
import { explainData, explainQuery } from './explain';
import { meData } from './me';
import { conformanceBody, conformanceResult, readinessData, signatureCheckData } from './readiness';
import { clockBody, clockData, ownerActionBody } from './sandbox';
import { specialistsData, specialistsQuery } from './specialists';
import { testEventBody, testEventData } from './test-events';

/** The `operationId` in OpenAPI. */
export type OperationId =
  | 'listCatalog'
  | 'listSpecialists'
  | 'listAvailability'
  | 'listAvailabilityDays'
  | 'explainAvailability'
  | 'createBooking'
  | 'listBookings'
  | 'readBooking'
  | 'cancelBooking'
  | 'rescheduleBooking'
  | 'sendTestEvent'
  | 'digestBookings'
  | 'listEvents'
  | 'readMe'
  | OwnSystemOperationId
  | SandboxOperationId;

/** Operations that only own systems can use (contract B15). */
export type OwnSystemOperationId = 'putBusyTime' | 'deleteBusyTime';

/** Operations that exist only in TEST (contract B20, B21). */
export type SandboxOperationId =
  | 'setTestClock'
  | 'runOwnerAction'
  | 'readReadiness'
  | 'reportConformance'
  | 'checkSignature';

/** An operation of the partner API. Used by the routes, the edge, the OpenAPI document, and tests. */
export type Operation = {
  id: OperationId;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base path. `{name}` is a variable segment. */
  path: string;
  /** Null: any key (contract B16). */
  scope: Scope | null;
  /** A title in the imperative. */
  summary: string;
  /** What a caller must know. */
  description: string;
  query: z.ZodObject;
  /** An operation with a body is a write and requires an Idempotency-Key. */
  body?: z.ZodType;
  data: z.ZodType;
  /** In LIVE, its path is unknown. */
  testOnly?: true;
};

export type WriteOperation = Operation & { body: z.ZodType };

export const BASE_PATH = '/api/partner/v1';

const noQuery = z.strictObject({});

/** `GET /catalog`. */
export const listCatalog = {
  id: 'listCatalog',
  method: 'GET',
  path: '/catalog',
  scope: 'catalog.read',
  summary: 'List services and locations',
  description: 'Returns the published services and the locations where you may book them, ordered by id and paginated.',
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
    'Returns the published specialists, filtered by service and location, ordered by id and paginated. With both filters, a specialist must offer that service at that location.',
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
    'Returns the slots that can be booked now, one per start time, ordered by `starts_at`. A date in the past or beyond `max_advance_days` has no slots.',
  query: availabilityQuery,
  data: availabilityData,
} as const satisfies Operation;

/** `GET /availability/days`. */
export const listAvailabilityDays = {
  id: 'listAvailabilityDays',
  method: 'GET',
  path: '/availability/days',
  scope: 'availability.read',
  summary: 'List days with free slots',
  description:
    'Returns for each day whether it has a free slot, and the first one, for several services and locations at once. With `next=true`, returns the next free slot instead.',
  query: availabilityDaysQuery,
  data: availabilityDaysData,
} as const satisfies Operation;

/** `GET /availability/explain`. */
export const explainAvailability = {
  id: 'explainAvailability',
  method: 'GET',
  path: '/availability/explain',
  scope: 'availability.read',
  summary: 'Explain free and refused starts',
  description:
    'Returns every possible start of a service on one day, and why a booking would be refused with it now, also for each specialist. Use it to find out why there is no slot; to offer slots, use `GET /availability`.',
  query: explainQuery,
  data: explainData,
} as const satisfies Operation;

/** `POST /bookings`. */
export const createBooking = {
  id: 'createBooking',
  method: 'POST',
  path: '/bookings',
  scope: 'booking.create',
  summary: 'Create a booking',
  description:
    'Books exactly one service for one customer. Only a slot that `GET /availability` currently returns can be booked. If the outcome is uncertain, repeat the request with the same `Idempotency-Key`.',
  query: noQuery,
  body: createBookingBody,
  data: bookingData,
} as const satisfies Operation;

/** `GET /bookings`. */
export const listBookings = {
  id: 'listBookings',
  method: 'GET',
  path: '/bookings',
  scope: 'booking.manage',
  summary: 'List or find bookings',
  description:
    'With `external_reference` alone, finds the bookings that have it, newest first. Use this when the outcome of a write is unknown and its idempotency key is lost. With `from` and `to`, or `updated_since`, lists your bookings at your locations. Each booking that matches during the whole reading is on exactly one page, also while bookings change.',
  query: bookingsQuery,
  data: bookingsData,
} as const satisfies Operation;

/** `GET /bookings/{pbr_reference}`. */
export const readBooking = {
  id: 'readBooking',
  method: 'GET',
  path: '/bookings/{pbr_reference}',
  scope: 'booking.manage',
  summary: 'Read a booking',
  description: "Returns one of your application's bookings, with the version that the next change must state.",
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
  description: 'Cancels a booking and frees its seat. Allowed until `change_deadline`. Versioned and idempotent.',
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
    'Moves the booking to another start. Allowed until `change_deadline`. The reference, service, and location stay the same. Versioned and idempotent.',
  query: noQuery,
  body: rescheduleBody,
  data: bookingData,
} as const satisfies Operation;

/** `POST /webhooks/test-events`. */
export const sendTestEvent = {
  id: 'sendTestEvent',
  method: 'POST',
  path: '/webhooks/test-events',
  scope: 'webhooks.manage',
  summary: 'Send yourself a test event',
  description:
    'Sends the event `webhook.test` to your webhook endpoint, in one attempt. The request body is an empty object. The response does not wait for the attempt. If ten test events are already waiting, the request gets a 429. Idempotent.',
  query: noQuery,
  body: testEventBody,
  data: testEventData,
} as const satisfies Operation;

/** `GET /bookings/digest`. */
export const digestBookings = {
  id: 'digestBookings',
  method: 'GET',
  path: '/bookings/digest',
  scope: 'booking.manage',
  summary: 'Compare bookings by day',
  description:
    'Returns the number of your bookings and a hash of their references and versions for each day, at most 31. Compute the same from your own database: equal hashes prove that both sides agree, and a different one names the day to list.',
  query: digestQuery,
  data: digestData,
} as const satisfies Operation;

/** `GET /events`. */
export const listEvents = {
  id: 'listEvents',
  method: 'GET',
  path: '/events',
  scope: 'booking.manage',
  summary: 'List events',
  description:
    'Returns the events of your application after a sequence, oldest first: the same payloads as webhooks, also without an endpoint. Sequences have no gap. Events are kept for 30 days.',
  query: eventsQuery,
  data: eventsData,
} as const satisfies Operation;

/** `GET /me`. */
export const readMe = {
  id: 'readMe',
  method: 'GET',
  path: '/me',
  scope: null,
  summary: 'Read who you are',
  description:
    'Returns the application, the business, and the environment of your API key, and what it may do now. Works with any key, whatever its scopes. Call it first in a new integration, and when a request is refused unexpectedly.',
  query: noQuery,
  data: meData,
} as const satisfies Operation;

/** `PUT /busy/{external_id}`. */
export const putBusyTime = {
  id: 'putBusyTime',
  method: 'PUT',
  path: '/busy/{external_id}',
  scope: 'busy.write',
  summary: 'Push a busy time',
  description:
    'Creates or replaces a time at which a specialist or a location is busy, so that nobody can book it. Existing bookings stay. Only for own systems of the business, such as a till. Versioned and idempotent.',
  query: noQuery,
  body: busyBody,
  data: busyData,
} as const satisfies Operation;

/** `DELETE /busy/{external_id}`. */
export const deleteBusyTime = {
  id: 'deleteBusyTime',
  method: 'DELETE',
  path: '/busy/{external_id}',
  scope: 'busy.write',
  summary: 'Remove a busy time',
  description: 'Removes a busy time, so that it can be booked again. A repeated request has the same effect.',
  query: noQuery,
  data: removedBusyData,
} as const satisfies Operation;

/** `POST /test/clock`. */
export const setTestClock = {
  id: 'setTestClock',
  method: 'POST',
  path: '/test/clock',
  scope: 'booking.manage',
  summary: 'Advance your clock in TEST',
  description:
    'Advances the clock of your application, for all rules that depend on the time, by up to 365 days, or sets it back to real time. Only in TEST: in LIVE, the route is unknown. Idempotent.',
  query: noQuery,
  body: clockBody,
  data: clockData,
  testOnly: true,
} as const satisfies Operation;

/** `POST /test/owner-actions`. */
export const runOwnerAction = {
  id: 'runOwnerAction',
  method: 'POST',
  path: '/test/owner-actions',
  scope: 'booking.manage',
  summary: 'Act as the owner in TEST',
  description:
    'Cancels, reschedules, or completes one of your bookings, or marks it as a no-show, as the owner would: without a deadline, and with an event whose actor is `owner`. Only in TEST: in LIVE, the route is unknown. Idempotent.',
  query: noQuery,
  body: ownerActionBody,
  data: bookingData,
  testOnly: true,
} as const satisfies Operation;

/** `GET /test/readiness`. */
export const readReadiness = {
  id: 'readReadiness',
  method: 'GET',
  path: '/test/readiness',
  scope: 'booking.manage',
  summary: 'Read your readiness for LIVE',
  description:
    'Returns what your newest requests in TEST have shown: a lost write repeated, a 409 and a 429 handled, a signature verified, a clock change survived. Also returns it as a signed certificate for the owner of LIVE. Only in TEST: in LIVE, the route is unknown.',
  query: noQuery,
  data: readinessData,
  testOnly: true,
} as const satisfies Operation;

/** `POST /test/conformance`. */
export const reportConformance = {
  id: 'reportConformance',
  method: 'POST',
  path: '/test/conformance',
  scope: 'booking.manage',
  summary: 'Report a run of the conformance suite in TEST',
  description:
    'Records the result of a run of the conformance suite, which sends this request at its end, and how many of its requests the server has seen. Only in TEST: in LIVE, the route is unknown. Idempotent.',
  query: noQuery,
  body: conformanceBody,
  data: conformanceResult,
  testOnly: true,
} as const satisfies Operation;

/** `POST /test/signature-checks`. */
export const checkSignature = {
  id: 'checkSignature',
  method: 'POST',
  path: '/test/signature-checks',
  scope: 'webhooks.manage',
  summary: 'Check in TEST that you verify signatures',
  description:
    'Sends two events `webhook.test` to your webhook endpoint, in one attempt each: one with a genuine signature, one with a wrong one. Answer the genuine one with 2xx and the other one with 4xx. Only in TEST: in LIVE, the route is unknown. Idempotent.',
  query: noQuery,
  body: testEventBody,
  data: signatureCheckData,
  testOnly: true,
} as const satisfies Operation;

// Keyed by id, so that the compiler requires an operation for each `OperationId`. The documentation lists the
// operations in this order.
type PartnerOperationId = Exclude<OperationId, OwnSystemOperationId | SandboxOperationId>;
const BY_ID: { readonly [Id in PartnerOperationId]: Operation & { id: Id } } = {
  listCatalog,
  listSpecialists,
  listAvailability,
  listAvailabilityDays,
  explainAvailability,
  createBooking,
  listBookings,
  readBooking,
  cancelBooking,
  rescheduleBooking,
  sendTestEvent,
  digestBookings,
  listEvents,
  readMe,
};

/** The operations of partners, in TEST and LIVE. */
export const OPERATIONS: readonly Operation[] = Object.values(BY_ID);

/**
 * All operations. Partners cannot use the last ones, or not in LIVE, so the reference, the client, and the tools leave
 * them out.
 */
export const ALL_OPERATIONS: readonly Operation[] = [
  ...OPERATIONS,
  putBusyTime,
  deleteBusyTime,
  setTestClock,
  runOwnerAction,
  readReadiness,
  reportConformance,
  checkSignature,
];

export type SuccessStatus = 200 | 201 | 202;

const SUCCESSES: Partial<Record<OperationId, SuccessStatus>> = {
  createBooking: 201,
  sendTestEvent: 202,
  checkSignature: 202,
};

/** Returns the status with which an operation succeeds. */
export function successStatus({ id }: { id: OperationId }): SuccessStatus {
  return SUCCESSES[id] ?? 200;
}
