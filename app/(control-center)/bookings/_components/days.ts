type Dated = { date: string };

/**
 * Groups consecutive bookings that have the same local date. Bookings on the same date can be in more than one group,
 * because the list is ordered by instant, and locations can have different time zones.
 */
export function daysOf<T extends Dated>(bookings: readonly T[]): [T, ...T[]][] {
  const days: [T, ...T[]][] = [];
  for (const booking of bookings) {
    const day = days.at(-1);
    if (day?.[0].date === booking.date) day.push(booking);
    else days.push([booking]);
  }
  return days;
}
