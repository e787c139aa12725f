import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { availabilityData, type slot } from '@/lib/contract/availability';
import { type BookingRecord, bookingData } from '@/lib/contract/bookings';
import { catalogData, type service } from '@/lib/contract/catalog';
import { type Report, Skip } from './report';
import type { Reply, Wire } from './wire';

export type Slot = z.infer<typeof slot>;
type Service = z.infer<typeof service>;

/** What scenarios share: the wire, the report, and something that can be booked. */
export type World = ReturnType<typeof createWorld>;

/** The date so many days from now, in UTC: far enough from midnight for every zone when it is more than one. */
export const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Who the suite's bookings are for. */
export const CUSTOMER = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true };

/** Fails unless an answer is a refusal with this status and code, and this reason if one is given. */
export function expectRefusal(reply: Reply, status: number, code: string, reason?: string | null): void {
  const { reason: given, code: got, status: was } = reply;
  const expected = { status, code, ...(reason === undefined ? {} : { reason }) };
  assert.deepEqual({ status: was, code: got, ...(reason === undefined ? {} : { reason: given }) }, expected);
}

/** Returns the data of a success, parsed by a schema of the contract. */
export function dataOf<T>(reply: Reply, status: number, schema: z.ZodType<T>): T {
  assert.equal(reply.status, status, `status ${reply.status} (${reply.code ?? 'no code'}) instead of ${status}`);
  const parsed = schema.safeParse(reply.json?.data);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return assert.fail(`data is not as the contract says: ${paths.slice(0, 5).join('; ')}`);
}

/** Returns what scenarios share. */
export function createWorld(wire: Wire, report: Report) {
  const made = new Map<string, string>();
  let bookable: { service: Service; slots: Slot[] } | null = null;

  const post = (
    path: string,
    body: unknown,
    key: string = randomUUID(),
    headers: Record<string, string | string[]> = {},
  ) =>
    wire.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const read = async (reference: string): Promise<BookingRecord> =>
    dataOf(await wire.send(`/bookings/${reference}`), 200, bookingData).booking;
  const create = async (body: unknown, key?: string): Promise<Reply> => {
    const reply = await post('/bookings', body, key);
    const parsed = bookingData.safeParse(reply.json?.data);
    if (parsed.success) made.set(parsed.data.booking.reference, parsed.data.booking.reference);
    return reply;
  };
  const slotsOf = async (query: Record<string, string>): Promise<Slot[]> =>
    dataOf(await wire.send(`/availability?${new URLSearchParams(query)}`), 200, availabilityData).slots;

  return {
    wire,
    post,
    read,
    create,
    slotsOf,
    check: report.check.bind(report),
    /** Finds a service for one guest with at least eight free slots; asks once. */
    bookable: async () => {
      bookable ??= await findBookable(wire, slotsOf);
      return bookable;
    },
    /** The body of a booking of a slot. */
    body: (at: Slot, more: Record<string, unknown> = {}) => ({
      service_id: at.service_id,
      location_id: at.location_id,
      date: at.date,
      start_time: at.start_time,
      external_reference: 'conformance',
      customer: CUSTOMER,
      ...more,
    }),
    /** Cancels what the run has booked; what is no longer active is left. */
    cleanUp: async () => {
      for (const reference of made.keys()) {
        const booking = await read(reference).catch(() => null);
        if (!booking?.cancellable) continue;
        await post(`/bookings/${reference}/actions/cancel`, { expected_version: booking.version }).catch(() => null);
      }
    },
  };
}

async function findBookable(wire: Wire, slotsOf: (query: Record<string, string>) => Promise<Slot[]>) {
  const { services } = dataOf(await wire.send('/catalog?limit=50'), 200, catalogData);
  const changeable = ({ capacity, cancellation_cutoff_minutes: cutoff, max_advance_days: days }: Service) =>
    capacity === 1 && cutoff <= 10 * 24 * 60 && days > 12;
  for (const service of services.filter(changeable).slice(0, 12)) {
    const [location_id = ''] = service.location_ids;
    const from = Math.ceil(service.cancellation_cutoff_minutes / 1440) + 2;
    const query = { service_id: service.id, location_id, date: dayAhead(from), date_to: dayAhead(from + 10) };
    const slots = await slotsOf({ ...query, limit: '96' });
    if (slots.length >= 8) return { service, slots };
  }
  throw new Skip('no published service for one guest has eight free slots that could be changed again');
}
