import { expect } from 'vitest';
import type { BookingRecord } from '@/lib/contract/bookings';
import { pick } from '@/tests/support/random';
import {
  type BookingReply,
  cancelOf,
  createOf,
  outcomeOf,
  type Partner,
  type Place,
  rescheduleOf,
  type Wish,
  type Write,
} from '@/tests/support/storm';

/** The latest known version of a booking, the place of the booking, and its partner. */
export type Booked = { partner: Partner; place: Place; booking: BookingRecord };

type Round = {
  random: () => number;
  partners: readonly Partner[];
  places: readonly Place[];
  specialistIds: readonly string[];
  date: string;
  /** The bookings by reference. Each round updates the map. */
  bookings: Map<string, Booked>;
  changes: number;
  context: string;
};

type Sent = { partner: Partner; place: Place; write: Write };

/** The possible start times of bookings. There are only a few, so that concurrent changes conflict. */
const STARTS = ['09:00', '09:30', '10:00', '10:30', '11:00', '12:00'];

/** The allowed outcomes of a change to an existing booking. */
const CHANGE = ['200', '409 booking_version_conflict', '409 booking_not_active'];
const ALLOWED: Record<Write['operation']['id'], string[]> = {
  createBooking: ['201', '409 slot_taken'],
  cancelBooking: CHANGE,
  rescheduleBooking: [...CHANGE, '409 slot_taken', '409 same_slot'],
};

/** Sends random changes concurrently and records their results. Asserts that no booking gets the same version twice. */
export async function playRound(round: Round): Promise<void> {
  const { bookings, changes, context } = round;
  const drawn = Array.from({ length: changes }, () => draw(round)).flat();
  const replies = await Promise.all(drawn.map(({ partner, write }) => partner.insist(write)));
  const made = new Set<string>();
  for (const [index, reply] of replies.entries()) {
    const { partner, place, write } = drawn[index] as Sent;
    expect(ALLOWED[write.operation.id], context).toContain(outcomeOf(reply));
    if (reply.status >= 300) continue;
    const { booking } = reply.data;
    if (reply.headers['idempotent-replayed'] === undefined) {
      expect(made, `${context}: duplicate version`).not.toContain(`${booking.reference} ${booking.version}`);
      made.add(`${booking.reference} ${booking.version}`);
    }
    const known = bookings.get(booking.reference);
    if (!known || known.booking.version < booking.version) bookings.set(booking.reference, { partner, place, booking });
  }
  expectAsAsked(drawn, replies, context);
}

/**
 * Asserts that each successful response has the requested start and specialist, and a version one higher than the
 * expected version.
 */
function expectAsAsked(drawn: readonly Sent[], replies: readonly BookingReply[], context: string): void {
  for (const [index, reply] of replies.entries()) {
    if (reply.status >= 300) continue;
    const asked = (drawn[index]?.write.body ?? {}) as Partial<Wish> & { expected_version?: number };
    const { booking } = reply.data;
    expect(booking.version, context).toBe((asked.expected_version ?? 0) + 1);
    if (asked.start_time) expect(booking.start_time, context).toBe(asked.start_time);
    if (asked.specialist_id) expect(booking.specialist_id, context).toBe(asked.specialist_id);
  }
}

function draw(round: Round): Sent[] {
  const { random, bookings, partners, places } = round;
  const active = [...bookings.values()].filter(({ booking }) => booking.status === 'confirmed');
  const dice = random();
  if (active.length < 2 || dice < 0.4) {
    const place = pick(random, places);
    const sent = { partner: pick(random, partners), place, write: createOf(place, wish(round)) };
    // Simulates clients that retry before they get the response.
    return random() < 0.2 ? [sent, sent] : [sent];
  }
  const one = pick(random, active);
  if (dice < 0.6) return [{ ...one, write: cancelOf(one.booking) }];
  if (dice < 0.8) return [{ ...one, write: rescheduleOf(one.booking, wish(round)) }];
  const other = pick(random, active);
  return [
    { ...one, write: rescheduleOf(one.booking, slotOf(other.booking)) },
    { ...other, write: rescheduleOf(other.booking, slotOf(one.booking)) },
  ];
}

function wish({ random, date, specialistIds }: Round): Wish {
  const specialist_id = random() < 0.3 ? pick(random, specialistIds) : undefined;
  return { date, start_time: pick(random, STARTS), specialist_id };
}

function slotOf({ date, start_time, specialist_id }: BookingRecord): Wish {
  return { date, start_time, specialist_id };
}
