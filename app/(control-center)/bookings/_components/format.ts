import { LOCALE } from '../../_components/moments';
import type { BookingStatus, OwnerAction } from './types';

const DATE = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const LONG_DATE = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });

/** Formats a local date `YYYY-MM-DD`, such as `Mon, Jan 6, 2025`. The result does not depend on a time zone. */
export function formatDate(date: string): string {
  return DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Formats a local date with its full weekday and month. */
export function formatLongDate(date: string): string {
  return LONG_DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Formats an instant (epoch milliseconds) as the local time of a time zone, such as `09:30`. */
export function timeInZone(instant: number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(instant);
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
