type Dated = { date: string };

/**
 * Returns the bookings in groups of consecutive bookings with the same local date. The bookings of a date can be in
 * more than one group, because the list is ordered by instant, and locations can have different time zones.
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
