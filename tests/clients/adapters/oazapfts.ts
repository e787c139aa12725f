import { ok } from '@oazapfts/runtime';
import {
  cancelBooking,
  createBooking,
  listAvailability,
  listCatalog,
  readBooking,
  rescheduleBooking,
} from '../generated/oazapfts/client';
import type { Connect } from './adapter';

export const connect: Connect = (baseUrl, key) => {
  const options = { baseUrl, headers: { Authorization: `Bearer ${key}` } };
  return {
    services: async () => (await ok(listCatalog({}, options))).data.services,
    slots: async ({ service_id, location_id, date, date_to }) => {
      const filters = { locationId: location_id, dateTo: date_to };
      return (await ok(listAvailability(service_id, date, filters, options))).data.slots;
    },
    create: async (body, idempotencyKey) => (await ok(createBooking(idempotencyKey, body, options))).data.booking,
    read: async (reference) => (await ok(readBooking(reference, options))).data.booking,
    reschedule: async ({ reference, version }, { date, start_time }, idempotencyKey) => {
      const body = { expected_version: version, date, start_time };
      return (await ok(rescheduleBooking(reference, idempotencyKey, body, options))).data.booking;
    },
    cancel: async ({ reference, version }, idempotencyKey) => {
      const body = { expected_version: version, reason: 'customer_request' } as const;
      return (await ok(cancelBooking(reference, idempotencyKey, body, options))).data.booking;
    },
  };
};
