import type { BookingStatus, OwnerAction } from './types';

const DATE = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const LONG_DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });

/** Returns a date, given as `YYYY-MM-DD`, in words. It is a local date: no zone moves it. */
export function formatDate(date: string): string {
  return DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Returns a date in full words. */
export function formatLongDate(date: string): string {
  return LONG_DATE.format(new Date(`${date}T00:00:00Z`));
}

/** Returns the date so many days from another. */
export function shiftDate(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** Each state in a person's words. */
export const STATUS_NAMES: Record<BookingStatus, string> = {
  confirmed: 'Confirmed',
  cancelled: 'Cancelled',
  completed: 'Completed',
  no_show: 'No-show',
};

/** What each action is called. */
export const ACTION_NAMES: Record<OwnerAction, string> = {
  cancel: 'Cancel booking',
  complete: 'Complete',
  no_show: 'Mark as no-show',
};
