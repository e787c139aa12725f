import { createClient, createConfig } from '../generated/hey-api/client';
import {
  cancelBooking,
  createBooking,
  listAvailability,
  listCatalog,
  readBooking,
  rescheduleBooking,
} from '../generated/hey-api/sdk.gen';
import type { Connect } from './adapter';

export const connect: Connect = (baseUrl, key) => {
  const client = createClient(createConfig({ baseUrl, auth: key }));
  const options = { client, throwOnError: true } as const;
  const header = (idempotencyKey: string) => ({ 'Idempotency-Key': idempotencyKey });
  return {
    services: async () => (await listCatalog(options)).data.data.services,
    slots: async (query) => (await listAvailability({ ...options, query })).data.data.slots,
    create: async (body, idempotencyKey) =>
      (await createBooking({ ...options, headers: header(idempotencyKey), body })).data.data.booking,
    read: async (reference) =>
      (await readBooking({ ...options, path: { pbr_reference: reference } })).data.data.booking,
    reschedule: async ({ reference, version }, { date, start_time }, idempotencyKey) => {
      const path = { pbr_reference: reference };
      const body = { expected_version: version, date, start_time };
      return (await rescheduleBooking({ ...options, headers: header(idempotencyKey), path, body })).data.data.booking;
    },
    cancel: async ({ reference, version }, idempotencyKey) => {
      const path = { pbr_reference: reference };
      const body = { expected_version: version, reason: 'customer_request' } as const;
      return (await cancelBooking({ ...options, headers: header(idempotencyKey), path, body })).data.data.booking;
    },
  };
};
