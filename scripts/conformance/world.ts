import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { availabilityData, type slot } from '@/lib/contract/availability';
import { type BookingRecord, bookingData } from '@/lib/contract/bookings';
import { catalogData, type service } from '@/lib/contract/catalog';
import type { Receiver } from './receiver';
import { type Report, Skip } from './report';
import type { Reply, Wire } from './wire';

export type Slot = z.infer<typeof slot>;
type Service = z.infer<typeof service>;

/** `independent(index)` returns a slot of `independentSlots`, or throws `Skip` if there are too few. */
type Bookable = { service: Service; slots: Slot[]; independent: (index: number) => Slot };

/** Independent slots, one for each entry of `SLOT`. */
const NEEDED = 15;

/** No two scenarios book the same slot, so that a remaining booking does not affect another scenario. */
export const SLOT = {
  creating: 0,
  repeated: 1,
  other: 2,
  changed: 3,
  target: 4,
  duplicates: 5,
  competing: 6,
  refused: 7,
  client: 8,
  clientTarget: 9,
  listed: 10,
  deadline: 11,
  completed: 12,
  retried: 13,
  announced: 14,
};

/** Milliseconds between two independent slots. The API does not return buffers, so this is longer than usual ones. */
const MARGIN_MS = 60 * 60_000;

/** Of slots, per service. */
const PAGES = 6;

export type World = ReturnType<typeof createWorld>;

/** Returns the UTC date `days` days from today. From 2 on, it is in the future in every time zone. */
export const dayAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const CUSTOMER = { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true as const };

/** Returns a booking as lists return it: without the optional fields (contract B19). */
export function listed({ note_characters: _, metadata: __, customer, ...rest }: BookingRecord) {
  return { ...rest, customer: { name: customer.name, phone_masked: customer.phone_masked } };
}

export function expectRefusal(reply: Reply, status: number, code: string, reason?: string | null): void {
  const expected = { status, code, ...(reason === undefined ? {} : { reason }) };
  const actual = { status: reply.status, code: reply.code, ...(reason === undefined ? {} : { reason: reply.reason }) };
  assert.deepEqual(actual, expected);
}

export function dataOf<T>(reply: Reply, status: number, schema: z.ZodType<T>): T {
  assert.equal(reply.status, status, `status ${reply.status} (${reply.code ?? 'no code'}) instead of ${status}`);
  const parsed = schema.safeParse(reply.json?.data);
  if (parsed.success) return parsed.data;
  const paths = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return assert.fail(`data does not match the contract: ${paths.slice(0, 5).join('; ')}`);
}

/** Creates the state and the helpers that scenarios share. */
export function createWorld(wire: Wire, report: Report, receiver: Receiver | null = null) {
  const created = new Set<string>();
  let bookable: Bookable | null = null;

  const post = async (
    path: string,
    body: unknown,
    key: string = randomUUID(),
    headers: Record<string, string | string[]> = {},
  ): Promise<Reply> => {
    const reply = await wire.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // For `cleanUp`, even if the server should have refused the request.
    const reference = reply.status === 201 ? referenceOf(reply) : null;
    if (reference) created.add(reference);
    return reply;
  };
  const read = async (reference: string): Promise<BookingRecord> =>
    dataOf(await wire.send(`/bookings/${reference}`), 200, bookingData).booking;
  const create = (body: unknown, key?: string): Promise<Reply> => post('/bookings', body, key);
  const cancel = async (reference: string): Promise<void> => {
    const booking = await read(reference).catch(() => null);
    if (!booking?.cancellable) return;
    await post(`/bookings/${reference}/actions/cancel`, { expected_version: booking.version }).catch(() => null);
  };
  const slotsOf = async (query: Record<string, string>): Promise<Slot[]> =>
    dataOf(await wire.send(`/availability?${new URLSearchParams(query)}`), 200, availabilityData).slots;

  return {
    wire,
    /** Null without --listen. */
    receiver,
    post,
    read,
    create,
    cancel,
    slotsOf,
    check: report.check.bind(report),
    need: report.need.bind(report),
    /** With capacity 1 and at least NEEDED independent slots. Cached. @throws Skip if there is no such service */
    bookable: async () => {
      bookable ??= await report.need('B6', 'slots can be read', () => findBookable(wire));
      return bookable;
    },
    /** A booking that should have been refused would occupy the slot that the next check needs. */
    release: async (reply: Reply) => {
      const reference = referenceOf(reply);
      if (reference) await cancel(reference);
    },
    body: (at: Slot, more: Record<string, unknown> = {}) => ({
      service_id: at.service_id,
      location_id: at.location_id,
      date: at.date,
      start_time: at.start_time,
      external_reference: 'conformance',
      customer: CUSTOMER,
      ...more,
    }),
    cleanUp: async () => {
      for (const reference of created) await cancel(reference);
    },
  };
}

function referenceOf(reply: Reply): string | null {
  const data = reply.json?.data as { booking?: { reference?: unknown } } | null | undefined;
  const reference = data?.booking?.reference;
  return typeof reference === 'string' ? reference : null;
}

/** Selects slots at least MARGIN_MS apart, whose bookings do not affect each other, even with the same specialist. */
export function independentSlots<S extends { starts_at: string; ends_at: string }>(slots: readonly S[]): S[] {
  let free = Number.NEGATIVE_INFINITY;
  return slots.filter(({ starts_at, ends_at }) => {
    if (Date.parse(starts_at) < free) return false;
    free = Date.parse(ends_at) + MARGIN_MS;
    return true;
  });
}

/** At most PAGES pages, until there are enough independent slots. */
async function readSlots(wire: Wire, query: Record<string, string>): Promise<Slot[]> {
  const slots: Slot[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const parameters = new URLSearchParams({ ...query, ...(cursor === null ? {} : { cursor }) });
    const reply: Reply = await wire.send(`/availability?${parameters}`);
    const data: z.infer<typeof availabilityData> = dataOf(reply, 200, availabilityData);
    slots.push(...data.slots);
    cursor = data.next_cursor;
    if (cursor === null || independentSlots(slots).length >= NEEDED) break;
  }
  return slots;
}

async function findBookable(wire: Wire): Promise<Bookable> {
  const { services } = dataOf(await wire.send('/catalog?limit=50'), 200, catalogData);
  const changeable = ({ capacity, cancellation_cutoff_minutes: cutoff, max_advance_days: days }: Service) =>
    capacity === 1 && cutoff <= 10 * 24 * 60 && days > 12;
  for (const service of services.filter(changeable).slice(0, 12)) {
    const [location_id = ''] = service.location_ids;
    const from = Math.ceil(service.cancellation_cutoff_minutes / 1440) + 2;
    const query = { service_id: service.id, location_id, date: dayAhead(from), date_to: dayAhead(from + 10) };
    const slots = await readSlots(wire, { ...query, limit: '96' });
    const chosen = independentSlots(slots);
    const independent = (index: number): Slot => {
      const slot = chosen[index];
      if (!slot) throw new Skip('there are too few available slots');
      return slot;
    };
    if (chosen.length >= NEEDED) return { service, slots, independent };
  }
  throw new Skip(
    `no published service with capacity 1 has ${NEEDED} separate slots whose bookings could still be changed`,
  );
}
