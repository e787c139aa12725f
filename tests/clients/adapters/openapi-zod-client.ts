import { createApiClient } from '../generated/openapi-zod-client/client';
import type { Connect } from './adapter';

// The generated client validates each request and each response with its zod schemas.
export const connect: Connect = (baseUrl, key) => {
  const client = createApiClient(baseUrl, { axiosConfig: { headers: { Authorization: `Bearer ${key}` } } });
  const header = (idempotencyKey: string) => ({ headers: { 'Idempotency-Key': idempotencyKey } });
  return {
    services: async () => (await client.listCatalog()).data.services,
    slots: async (queries) => (await client.listAvailability({ queries })).data.slots,
    create: async (body, idempotencyKey) => (await client.createBooking(body, header(idempotencyKey))).data.booking,
    read: async (reference) => (await client.readBooking({ params: { pbr_reference: reference } })).data.booking,
    reschedule: async ({ reference, version }, { date, start_time }, idempotencyKey) => {
      const options = { params: { pbr_reference: reference }, ...header(idempotencyKey) };
      return (await client.rescheduleBooking({ expected_version: version, date, start_time }, options)).data.booking;
    },
    cancel: async ({ reference, version }, idempotencyKey) => {
      const options = { params: { pbr_reference: reference }, ...header(idempotencyKey) };
      const body = { expected_version: version, reason: 'customer_request' } as const;
      return (await client.cancelBooking(body, options)).data.booking;
    },
  };
};
