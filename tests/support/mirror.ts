import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { dayAhead } from './bookings';

/** Windows of 31 days, from the day before yesterday. */
const WINDOWS = [-2, 29, 60].map((day) => ({ from: dayAhead(day), to: dayAhead(day + 30) }));

type Kept = { version: number; date: string };
type Booking = Kept & { reference: string };
type Event = { sequence: number; data: { booking?: Booking } };
type Data = {
  bookings: Booking[];
  next_cursor: string | null;
  sequence: number;
  events: Event[];
  latest_sequence: number;
  days: { date: string; count: number; hash: string }[];
};

/** Returns a function that reads a path of the API and repeats it while the server is down or busy. */
export function reader(origin: () => string, key: string) {
  return async (path: string): Promise<Data> => {
    for (let tries = 1; ; tries += 1) {
      const reply = await fetch(origin() + BASE_PATH + path, { headers: { authorization: `Bearer ${key}` } }).catch(
        () => null,
      );
      const body = (await reply?.json().catch(() => null)) as { data?: Data } | null;
      if (body?.data) return body.data;
      if (tries === 300) throw new Error(`${path}: ${reply?.status} ${JSON.stringify(body)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
}

type Read = ReturnType<typeof reader>;

/** The database of a partner, which knows only what the API has told it. */
export function mirror(read: Read) {
  const bookings = new Map<string, Kept>();
  let after = 0;

  const keep = ({ reference, version, date }: Booking) => {
    if ((bookings.get(reference)?.version ?? 0) < version) bookings.set(reference, { version, date });
  };
  /** Applies the events up to a sequence, or all. Fails at a gap. */
  const follow = async (until = Number.POSITIVE_INFINITY) => {
    for (;;) {
      const { events, latest_sequence } = await read(`/events?after=${after}`);
      for (const { sequence, data } of events) {
        if (sequence > until) return;
        expect(sequence).toBe(after + 1);
        if (data.booking) keep(data.booking);
        after = sequence;
      }
      if (after >= Math.min(until, latest_sequence)) return;
    }
  };
  return {
    bookings,
    follow,
    /** As after the loss of the database. */
    rebuild: async () => {
      bookings.clear();
      let begun: number | null = null;
      for (const { from, to } of WINDOWS)
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: Data = await read(`/bookings?from=${from}&to=${to}&limit=100${cursor && `&cursor=${cursor}`}`);
          begun ??= page.sequence;
          page.bookings.forEach(keep);
          cursor = page.next_cursor;
        }
      after = begun ?? 0;
      await follow();
    },
    /** Compares each day with the server, as of one sequence, also while writes go on. */
    expectEqual: async () => {
      for (const { from, to } of WINDOWS) {
        const digest = await read(`/bookings/digest?from=${from}&to=${to}`);
        await follow(digest.sequence);
        const own = digest.days.map(({ date }) => {
          const lines = [...bookings]
            .filter(([, one]) => one.date === date)
            .map(([reference, { version }]) => `${reference}:${version}\n`);
          return { date, count: lines.length, hash: createHash('sha256').update(lines.sort().join('')).digest('hex') };
        });
        expect(own, `as of ${digest.sequence}`).toEqual(digest.days);
      }
    },
  };
}
