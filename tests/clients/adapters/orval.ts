import {
  cancelBooking,
  createBooking,
  listAvailability,
  listCatalog,
  readBooking,
  rescheduleBooking,
} from '../generated/orval/client';
import { createBookingBody, readBookingResponse } from '../generated/orval/schemas';
import type { Connect } from './adapter';

/** Returns the response. Throws if it does not have the expected status. */
function expectStatus<R extends { status: number }, S extends R['status']>(response: R, status: S) {
  if (response.status !== status) throw new Error(JSON.stringify(response));
  return response as Extract<R, { status: S }>;
}

// The first argument is not used, because the generated client contains the base URL of the OpenAPI document. `create`
// checks the request body, and `read` checks the response, with the generated zod schemas.
export const connect: Connect = (_, key) => {
  const options = (idempotencyKey?: string) => ({
    headers: { Authorization: `Bearer ${key}`, ...(idempotencyKey ? { 'Idempotency-Key': idempotencyKey } : {}) },
  });
  return {
    services: async () => expectStatus(await listCatalog({}, options()), 200).data.data.services,
    slots: async (query) => expectStatus(await listAvailability(query, options()), 200).data.data.slots,
    create: async (body, idempotencyKey) => {
      createBookingBody.parse(body);
      return expectStatus(await createBooking(body, options(idempotencyKey)), 201).data.data.booking;
    },
    read: async (reference) =>
      readBookingResponse.parse(expectStatus(await readBooking(reference, options()), 200).data).data.booking,
    reschedule: async ({ reference, version }, { date, start_time }, idempotencyKey) => {
      const body = { expected_version: version, date, start_time };
      return expectStatus(await rescheduleBooking(reference, body, options(idempotencyKey)), 200).data.data.booking;
    },
    cancel: async ({ reference, version }, idempotencyKey) => {
      const body = { expected_version: version, reason: 'customer_request' } as const;
      return expectStatus(await cancelBooking(reference, body, options(idempotencyKey)), 200).data.data.booking;
    },
  };
};
