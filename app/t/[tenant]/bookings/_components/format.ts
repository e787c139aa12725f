import { LOCALE } from '../../_components/time/moments';
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

/** Returns who made a booking: the application of a partner, or the business itself. */
export function makerName(application: { name: string } | null): string {
  return application?.name ?? 'The business';
}

/** Returns who learns of a change to a booking. */
export function notifiedText(application: object | null): string {
  return application
    ? 'The partner is notified by webhook. The customer is not notified.'
    : 'The customer is not notified.';
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
  reopen: 'Undo completion',
};

/** Returns the label of an action on a booking with a status. */
export function actionName(action: OwnerAction, status: BookingStatus): string {
  return action === 'reopen' && status === 'no_show' ? 'Undo no-show' : ACTION_NAMES[action];
}
