import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { clockTo } from '../../../_components/time/moments';
import type { BookingStatus, OwnerAction } from '../types';

const DATE_PARTS = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
const WEEKDAY_PARTS = { weekday: 'short', day: 'numeric', month: 'short' } as const;

// A local date is formatted as if it were UTC, because it must not be converted.
const partsText = (format: Formats, date: string, parts: Intl.DateTimeFormatOptions) =>
  format.dateTime(parts, 'UTC').format(new Date(`${date}T00:00:00Z`));

/** Formats a local date (`YYYY-MM-DD`) in the reader's language, for example as `Mon, Jan 6, 2025`. */
export function dateText(format: Formats, date: string): string {
  return partsText(format, date, DATE_PARTS);
}

/** Formats a local date with its full weekday and month in the reader's language. */
export function longDateText(format: Formats, date: string): string {
  return partsText(format, date, { dateStyle: 'full' });
}

/** Formats a local date with its weekday and without its year in the reader's language, for example as `Mon, Jan 6`. */
export function weekdayText(format: Formats, date: string): string {
  return partsText(format, date, WEEKDAY_PARTS);
}

const CLOCK = clockTo('minute');

/** Formats a local time (`HH:MM`) on the reader's clock: `14:30`, or `02:30 PM`. */
export function timeText(format: Formats, time: string): string {
  return format.hourCycle === 'h23' ? time : format.dateTime(CLOCK, 'UTC').format(new Date(`1970-01-01T${time}:00Z`));
}

/** Formats the local times of a start and an end, such as `09:00–13:00`. */
export function timesText(format: Formats, { start_time, end_time }: { start_time: string; end_time: string }): string {
  return `${timeText(format, start_time)}–${timeText(format, end_time)}`;
}

/** The clock of a local date, from the server (see `DayClock` in `lib/platform/time-zones`). */
export type Clock = { minutes: number; periods: readonly { from_minute: number; local_minute: number }[] };

/** Returns the local minute of a day after a number of elapsed minutes. */
export function localMinute({ periods }: Clock, elapsed: number): number {
  const period = periods.findLast(({ from_minute }) => from_minute <= elapsed) ?? { from_minute: 0, local_minute: 0 };
  return period.local_minute + elapsed - period.from_minute;
}

/** Formats a local minute of a day as `HH:MM`. */
export function clockText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60) % 24)}:${two(Math.floor(minute) % 60)}`;
}

/** Returns a date shifted by a number of days. */
export function shiftDate(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Returns who made a booking, in the reader's language: the application of a partner, or the business itself. */
export function makerText(words: Translator<'words'>, application: { name: string } | null): string {
  return application?.name ?? words('theBusiness');
}

/** Returns who learns of a change to a booking. */
export function notifiedText(t: Translator<'bookings.change'>, application: object | null): string {
  return t(application ? 'notified.partner' : 'notified.nobody');
}

/** Returns the label of an action on a booking with a status. */
export function actionName(words: Translator<'words'>, action: OwnerAction, status: BookingStatus): string {
  return words(action === 'reopen' && status === 'no_show' ? 'bookingAction.undoNoShow' : `bookingAction.${action}`);
}
