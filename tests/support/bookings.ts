import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { PolicyInput } from '@/lib/access/applications/applications';
import type { booking } from '@/lib/contract/bookings';
import {
  BASE_PATH,
  cancelBooking,
  createBooking,
  listAvailability,
  listAvailabilityDays,
  listBookings,
  readBooking,
  rescheduleBooking,
  type WriteOperation,
} from '@/lib/contract/operations';
import { type Client, createClient } from './client';
import { makeCast, type makeLocation, type makeService } from './factories';
import { withQuery } from './paths';
import { prepared } from './prepared';
import { sharedServer } from './shared';

export const BOOKINGS = BASE_PATH + createBooking.path;

export const AVAILABILITY = BASE_PATH + listAvailability.path;

export const AVAILABILITY_DAYS = BASE_PATH + listAvailabilityDays.path;

export function actionPath(reference: string, action: string): string {
  return `${BOOKINGS}/${reference}/actions/${action}`;
}

/** The default is a week, which is longer than the lead time of services. */
export function dayAhead(days = 7): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

export const CUSTOMER = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true };

/** By default, each write gets a new idempotency key. */
export type Sending = { key?: string; headers?: Record<string, string> };

type Query = Record<string, string | number>;

/** A `body` that is a string is sent unchanged. */
export function post<O extends WriteOperation>(
  client: Client,
  path: string,
  operation: O,
  body: unknown,
  { key = randomUUID(), headers = {} }: Sending = {},
) {
  return client(path, {
    operation,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Functions that call booking operations as an application, and validate successful responses. */
export function partnerOf(key: string) {
  const client = createClient({ origin: sharedServer().origin, key });
  return {
    client,
    slots: (parameters: Query, headers?: Record<string, string>) =>
      client(withQuery(AVAILABILITY, parameters), { operation: listAvailability, headers }),
    days: (parameters: Query, headers?: Record<string, string>) =>
      client(withQuery(AVAILABILITY_DAYS, parameters), { operation: listAvailabilityDays, headers }),
    create: (body: unknown, sending?: Sending) => post(client, BOOKINGS, createBooking, body, sending),
    find: (parameters: Query) => client(withQuery(BOOKINGS, parameters), { operation: listBookings }),
    read: (reference: string) => client(`${BOOKINGS}/${reference}`, { operation: readBooking }),
    cancel: (reference: string, body: unknown = { expected_version: 1 }, sending?: Sending) =>
      post(client, actionPath(reference, 'cancel'), cancelBooking, body, sending),
    reschedule: (reference: string, body: unknown, sending?: Sending) =>
      post(client, actionPath(reference, 'reschedule'), rescheduleBooking, body, sending),
  };
}

type Booking = z.output<typeof booking>;

/** Returns a booking as lists return it: without the optional fields (contract B19). */
export function listed({ note_characters: _, metadata: __, customer, ...rest }: Booking) {
  const { name, phone_masked } = customer;
  return { ...rest, customer: { name, phone_masked } };
}

type DeskOptions = {
  policy?: Partial<PolicyInput>;
  service?: Parameters<typeof makeService>[1];
  location?: Parameters<typeof makeLocation>[1];
  specialists?: number;
};

export type Desk = Awaited<ReturnType<typeof makeDesk>>;

/** A tenant with one bookable service, open daily from 09:00 to 17:00, and a partner. Specialists are sorted by id. */
export async function makeDesk({ policy, service: data, location: place, specialists: count = 1 }: DeskOptions = {}) {
  const cast = { policies: [policy ?? {}], services: [data], location: place, specialists: count };
  const { tenant, location, services, specialists, applications } = await makeCast(cast);
  const [service, application] = [services[0], applications[0]];
  if (!service || !application) throw new Error('nothing was inserted');
  const partner = partnerOf(application.key);
  const body = (start_time = '10:00', more: Record<string, unknown> = {}) => ({
    service_id: service.id,
    location_id: location.id,
    date: dayAhead(),
    start_time,
    external_reference: 'order-4711',
    customer: CUSTOMER,
    ...more,
  });
  const asked = { service_id: service.id, location_id: location.id };
  return {
    tenant,
    location,
    service,
    specialists,
    ids: specialists.map(({ id }) => id),
    ...application,
    ...partner,
    body,
    /** @throws Error if the booking is refused */
    book: async (
      start_time?: string,
      more?: Record<string, unknown>,
      { key = randomUUID(), headers }: Sending = {},
    ) => {
      const reply = await prepared(() => partner.create(body(start_time, more), { key, headers }));
      if (reply.status !== 201) throw new Error(`not booked: ${reply.text}`);
      return reply.data.booking;
    },
    /** As `HH:MM`. @throws Error if the request is refused */
    starts: async (more: Query = {}) => {
      const reply = await partner.slots({ ...asked, date: dayAhead(), limit: 96, ...more });
      if (reply.status !== 200) throw new Error(`no availability: ${reply.text}`);
      return reply.data.slots.map((slot) => slot.start_time);
    },
    slotAt: async (start_time: string, more: Query = {}) => {
      const reply = await partner.slots({ ...asked, date: dayAhead(), limit: 96, ...more });
      return reply.data.slots.find((slot) => slot.start_time === start_time);
    },
  };
}
