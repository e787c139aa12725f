type Dated = { date: string };

/**
 * Groups consecutive bookings that have the same local date and the same section. Bookings on the same date can be in
 * more than one group, because the list is ordered by instant, and locations can have different time zones.
 */
export function daysOf<T extends Dated>(
  bookings: readonly T[],
  sectionOf: (booking: T) => string | null = () => null,
): [T, ...T[]][] {
  const days: [T, ...T[]][] = [];
  for (const booking of bookings) {
    const day = days.at(-1);
    if (day?.[0].date === booking.date && sectionOf(day[0]) === sectionOf(booking)) day.push(booking);
    else days.push([booking]);
  }
  return days;
}

/**
 * Returns the section of a booking in the results of a search by phone number: `Canceled`, `Past`, or null if the
 * booking is upcoming or in progress.
 * @param now The current time in epoch milliseconds.
 */
export function sectionAt(now: number, { status, ends_at }: { status: string; ends_at: string }): string | null {
  if (status === 'cancelled') return 'Canceled';
  return Date.parse(ends_at) <= now ? 'Past' : null;
}
