import { longDateText, weekdayText } from '../display/format';
import type { BookingWeek } from '../types';
import { type Column, type ColumnTexts, countBookings, hoursText, isPresent } from './columns';

/** A specialist in a week schedule (see `peopleOf`). */
export type Person = { id: string; name: string; present: boolean; booked: number };

/** Returns the specialists. `present`: works or has bookings in that week. `booked` is the number of these bookings. */
export function peopleOf({ days }: Pick<BookingWeek, 'days'>): Person[] {
  const people = new Map<string, Person>();
  for (const column of days.flatMap(({ columns }) => columns)) {
    const { id, name } = column.specialist;
    const person = people.get(id) ?? { id, name, present: false, booked: 0 };
    person.present ||= isPresent(column);
    person.booked += countBookings(column);
    people.set(id, person);
  }
  return [...people.values()];
}

/** Returns one column for each day of a week. If `specialistId` is null, the columns show all specialists. */
export function weekColumns(
  { t, format }: ColumnTexts,
  { days }: Pick<BookingWeek, 'days'>,
  specialistId: string | null,
): Column[] {
  return days.map(({ date, opening, columns }) => {
    const shown = columns.filter(({ specialist }) => specialistId === null || specialist.id === specialistId);
    const working = shown.flatMap((column) => column.working);
    const blocks = shown.flatMap((column) =>
      column.blocks.map((block) => ({ ...block, specialist: column.specialist })),
    );
    const blocked = (
      specialistId === null ? (columns[0]?.blocked ?? []) : shown.flatMap((column) => column.blocked)
    ).filter(({ block }) => specialistId !== null || block.specialist_id === null);
    const hours = specialistId === null ? opening : working;
    const none = opening.length === 0 ? 'closed' : 'off';
    const subtitle = hours.length === 0 ? t(none) : hoursText({ t, format }, hours);
    const empty = blocks.length === 0 ? 'yes' : 'no';
    const label = t('dayColumn', { date: longDateText(format, date), hours: subtitle, empty });
    const specialist = specialistId === null ? null : (shown[0]?.specialist ?? null);
    return {
      key: date,
      date,
      specialist,
      title: weekdayText(format, date),
      subtitle,
      label,
      opening,
      working,
      blocked,
      blocks,
    };
  });
}

/** Converts a local time `HH:MM` to minutes since 00:00. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
