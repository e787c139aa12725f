import type { BookingRecord } from '@/lib/contract/bookings';
import { pick } from '@/tests/support/random';
import { cancelOf, createOf, dayAhead, type Place, rescheduleOf, type Wish, type Write } from '@/tests/support/storm';
import type { Sent } from '@/tests/support/truth';

/** Number of days over which the bookings are spread. */
const DAYS = 30;
/** Maximum number of bookings that the generator remembers. It reschedules and cancels only these. */
const KEPT = 50;

/**
 * A generator of writes. `next` returns a new write. `record` gets the result of a write, so that later writes can
 * change the same booking.
 */
export type Writes = { next: () => Write; record: (sent: Sent) => void };

/** Returns a realistic mix of writes: most create bookings, and some reschedule or cancel them. */
export function mixedWrites(place: Place, random: () => number): Writes {
  const known: BookingRecord[] = [];
  const wish = (): Wish => {
    const minutes = 540 + 30 * Math.floor(random() * 16);
    const start_time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}`;
    return { date: dayAhead(3 + Math.floor(random() * DAYS)), start_time };
  };
  return {
    next: () => {
      const dice = random();
      if (known.length === 0 || dice < 0.6) return createOf(place, wish());
      const booking = pick(random, known);
      return dice < 0.8 ? rescheduleOf(booking, wish()) : cancelOf(booking);
    },
    record: ({ reply }) => {
      if (!reply || reply.status >= 300) return;
      const { booking } = reply.data;
      const at = known.findIndex(({ reference }) => reference === booking.reference);
      if (at >= 0) known.splice(at, 1);
      if (booking.status === 'confirmed') known.push(booking);
      if (known.length > KEPT) known.shift();
    },
  };
}
