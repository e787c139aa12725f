import { LOCALE } from '../../_components/moments';
import type { BookingStatus, OwnerAction } from './types';

const DATE = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const WEEKDAY = new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
const LONG_DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

/** Formats a local date (`YYYY-MM-DD`), for example as `Mon, Jan 6, 2025`. */
export function formatDate(date: string): string {
  return DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Formats a local date with its full weekday and month. */
export function formatLongDate(date: string): string {
  return LONG_DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Formats a local date with its weekday and without its year, for example as `Mon, Jan 6`. */
export function formatWeekday(date: string): string {
  return WEEKDAY.format(new Date(`${date}T00:00:00Z`));
}

/** Returns the local date and time of an instant (epoch milliseconds), as `YYYY-MM-DD` and `HH:MM`. */
export function localTime(instant: number, timeZone: string): { date: string; time: string } {
  // The Swedish locale formats dates and times in the ISO 8601 style.
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
    .format(instant)
    .split(' ');
  return { date, time };
}

/** Returns a date shifted by a number of days. */
export function shiftDate(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

export const STATUS_NAMES: Record<BookingStatus, string> = {
  confirmed: 'Confirmed',
  cancelled: 'Canceled',
  completed: 'Completed',
  no_show: 'No-show',
};

export const ACTION_NAMES: Record<OwnerAction, string> = {
  cancel: 'Cancel booking',
  complete: 'Mark as completed',
  no_show: 'Mark as no-show',
};
