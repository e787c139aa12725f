import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { z } from 'zod';
import type { slot } from '@/lib/contract/availability';
import type { BookingRecord } from '@/lib/contract/bookings';
import {
  BASE_PATH,
  cancelBooking,
  createBooking,
  listAvailability,
  listCatalog,
  readBooking,
  rescheduleBooking,
} from '@/lib/contract/operations';
import type { Location, Service, Specialist } from '@/lib/platform/generated/prisma/client';
import { createClient, type Reply } from './client';
import { makeCast, type makeService } from './factories';
import { withQuery } from './paths';
import { prepared } from './prepared';

/** Milliseconds that a write waits before the server refuses it (contract B8). */
const LONGEST_WAIT = 5_000;
const MAX_SENDS = 5;

export type Slot = z.output<typeof slot>;

export type BookingReply = Reply<{ booking: BookingRecord }>;

/** Sending the same write again is a retry. */
export type Write = {
  operation: typeof createBooking | typeof cancelBooking | typeof rescheduleBooking;
  path: string;
  key: string;
  body: object;
};

export type Wish = { date: string; start_time: string; specialist_id?: string };

export type Place = { serviceId: string; locationId: string };

/** Sends all requests to one server. */
export type Partner = {
  send: (write: Write) => Promise<BookingReply>;
  /** Repeats the write after a 503 of at least LONGEST_WAIT, which an overloaded machine can cause. */
  insist: (write: Write) => Promise<BookingReply>;
  /** See `prepared`. */
  prepare: (write: Write) => Promise<BookingReply>;
  /** Null if the connection broke before the response. */
  attempt: (write: Write) => Promise<BookingReply | null>;
  slots: (place: Place, date: string) => Promise<Slot[]>;
  read: (reference: string) => Promise<BookingReply>;
  catalog: () => Promise<Reply<z.output<typeof listCatalog.data>>>;
};

/** With one key and its own connections. */
export function createPartner(origin: string, key: string): Partner {
  const client = createClient({ origin, key });
  const send = (write: Write) =>
    client(write.path, {
      operation: write.operation,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': write.key },
      body: JSON.stringify(write.body),
    });
  const insist = async (write: Write): Promise<BookingReply> => {
    for (let round = 1; ; round += 1) {
      const startedAt = performance.now();
      const reply = await send(write);
      if (reply.status !== 503 || performance.now() - startedAt < LONGEST_WAIT || round === MAX_SENDS) return reply;
    }
  };
  return {
    send,
    insist,
    prepare: (write) => prepared(() => send(write)),
    attempt: (write) => send(write).catch(onlyBroken),
    slots: async ({ serviceId, locationId }, date) => {
      const query = { service_id: serviceId, location_id: locationId, date, limit: 96 };
      const reply = await client(withQuery(BASE_PATH + listAvailability.path, query), { operation: listAvailability });
      expect(reply.status).toBe(200);
      return reply.data.slots;
    },
    read: (reference) => client(`${BASE_PATH}/bookings/${reference}`, { operation: readBooking }),
    catalog: () => client(BASE_PATH + listCatalog.path, { operation: listCatalog }),
  };
}

/** @throws any error that is not a broken connection */
export function onlyBroken(error: unknown): null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^(UND_ERR_SOCKET|ECONN|EPIPE)/.test(code)) return null;
  throw error;
}

export function createOf({ serviceId, locationId }: Place, { date, start_time, specialist_id }: Wish): Write {
  const body = {
    service_id: serviceId,
    location_id: locationId,
    specialist_id,
    date,
    start_time,
    external_reference: 'storm',
    customer: { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true },
  };
  return { operation: createBooking, path: BASE_PATH + createBooking.path, key: randomUUID(), body };
}

type Seen = Pick<BookingRecord, 'reference' | 'version'>;

export function cancelOf({ reference, version }: Seen): Write {
  const path = `${BASE_PATH}/bookings/${reference}/actions/cancel`;
  return { operation: cancelBooking, path, key: randomUUID(), body: { expected_version: version } };
}

export function rescheduleOf({ reference, version }: Seen, { date, start_time, specialist_id }: Wish): Write {
  const path = `${BASE_PATH}/bookings/${reference}/actions/reschedule`;
  const body = { expected_version: version, date, start_time, specialist_id };
  return { operation: rescheduleBooking, path, key: randomUUID(), body };
}

export function dayAhead(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

export function outcomes(replies: readonly (BookingReply | null)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reply of replies) {
    const name = outcomeOf(reply);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Such as `201`. For an error, with the reason, or the code without one. `broken` without a response. */
export function outcomeOf(reply: BookingReply | null): string {
  if (!reply) return 'broken';
  return reply.status < 300 ? String(reply.status) : `${reply.status} ${reply.error.reason ?? reply.error.code}`;
}

export type Stage = {
  tenantId: string;
  location: Location;
  services: Service[];
  specialists: Specialist[];
  keys: string[];
  applicationIds: string[];
  place: Place;
};

type Cast = { specialists?: number; services?: Parameters<typeof makeService>[1][]; applications?: number };

/** All specialists offer all services at one location, every day from 09:00 to 17:00. */
export async function makeStage({ specialists = 1, services = [{}], applications = 1 }: Cast = {}): Promise<Stage> {
  const policies = Array.from({ length: applications }, () => ({}));
  const { tenant, location, applications: made, ...cast } = await makeCast({ policies, services, specialists });
  const keys = made.map(({ key }) => key);
  const applicationIds = made.map(({ applicationId }) => applicationId);
  const place = { serviceId: cast.services[0]?.id ?? '', locationId: location.id };
  return { tenantId: tenant.id, location, ...cast, keys, applicationIds, place };
}

/**
 * For each slot, concurrently sends one request more than it has seats. Exactly one must be refused. Returns the seats.
 */
export async function sellOut(partner: Partner, place: Place, date: string, context = ''): Promise<number> {
  for (let sold = 0; ; ) {
    const [slot] = await partner.slots(place, date);
    if (!slot) return sold;
    const seats = slot.available_capacity;
    const guests = Array.from({ length: seats + 1 }, () => createOf(place, { date, start_time: slot.start_time }));
    const replies = await Promise.all(guests.map(partner.insist));
    expect(outcomes(replies), `${slot.start_time} ${context}`).toEqual({ 201: seats, '409 slot_taken': 1 });
    sold += seats;
  }
}

/** A test then does not measure the loading of code and caches. */
export async function warmUp(origin: string): Promise<void> {
  const { place, keys } = await makeStage();
  const partner = createPartner(origin, keys[0] ?? '');
  const made = await partner.prepare(createOf(place, { date: dayAhead(7), start_time: '09:00' }));
  const moved = await partner.prepare(rescheduleOf(made.data.booking, { date: dayAhead(7), start_time: '10:00' }));
  const cancelled = await partner.prepare(cancelOf(moved.data.booking));
  expect(outcomes([made, moved, cancelled])).toEqual({ 200: 2, 201: 1 });
}
