import { Api } from '../generated/swagger-typescript-api/client';
import type { Connect } from './adapter';

export const connect: Connect = (baseUrl, key) => {
  const { catalog, availability, bookings } = new Api({
    baseUrl,
    baseApiParams: { secure: true },
    securityWorker: () => ({ headers: { Authorization: `Bearer ${key}` } }),
  });
  const header = (idempotencyKey: string) => ({ headers: { 'Idempotency-Key': idempotencyKey } });
  return {
    services: async () => (await catalog.listCatalog({})).data.data.services,
    slots: async (query) => (await availability.listAvailability(query)).data.data.slots,
    create: async (body, idempotencyKey) =>
      (await bookings.createBooking(body, header(idempotencyKey))).data.data.booking,
    read: async (reference) => (await bookings.readBooking(reference)).data.data.booking,
    reschedule: async ({ reference, version }, { date, start_time }, idempotencyKey) => {
      const body = { expected_version: version, date, start_time };
      return (await bookings.rescheduleBooking(reference, body, header(idempotencyKey))).data.data.booking;
    },
    cancel: async ({ reference, version }, idempotencyKey) => {
      const body = { expected_version: version, reason: 'customer_request' } as const;
      return (await bookings.cancelBooking(reference, body, header(idempotencyKey))).data.data.booking;
    },
  };
};
