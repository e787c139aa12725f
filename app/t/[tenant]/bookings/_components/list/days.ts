type Dated = { date: string };

/**
 * Groups consecutive bookings that have the same date and the same section. The list is ordered by instant, so with one
 * time zone, or with `dateOf` in the reader's, each date and section is one group.
 */
export function daysOf<T extends Dated>(
  bookings: readonly T[],
  sectionOf: (booking: T) => SectionKind | null = () => null,
  dateOf: (booking: T) => string = ({ date }) => date,
): [T, ...T[]][] {
  const days: [T, ...T[]][] = [];
  for (const booking of bookings) {
    const day = days.at(-1);
    if (day && dateOf(day[0]) === dateOf(booking) && sectionOf(day[0]) === sectionOf(booking)) day.push(booking);
    else days.push([booking]);
  }
  return days;
}

/** A section of the results of a search by phone number or name. */
export type SectionKind = 'cancelled' | 'past';

/**
 * Returns the section of a booking in the results of a search by phone number. Null if the booking is upcoming or in
 * progress.
 * @param now The current time in epoch milliseconds.
 */
export function sectionAt(now: number, { status, ends_at }: { status: string; ends_at: string }): SectionKind | null {
  if (status === 'cancelled') return 'cancelled';
  return Date.parse(ends_at) <= now ? 'past' : null;
}

/** Returns whether bookings of more than one time zone are listed, so that their local times alone are not in order. */
export function hasSeveralZones(bookings: readonly { time_zone: string }[]): boolean {
  return bookings.some(({ time_zone }) => time_zone !== bookings[0]?.time_zone);
}

/** Returns the date (`YYYY-MM-DD`) and the time (`HH:MM`) of an instant in the reader's time zone. */
export function readersTime(instant: string): { date: string; time: string } {
  const at = new Date(instant);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString();
  return { date: local.slice(0, 10), time: local.slice(11, 16) };
}
