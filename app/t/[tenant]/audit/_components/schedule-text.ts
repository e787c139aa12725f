import { LOCALE, SHORT_TIME } from '../../_components/time/moments';
import { formatDate } from '../../bookings/_components/format';
import { WEEKDAYS } from '../../catalog/_components/format';

/**
 * The objects in a list of the audit log, such as opening hours. Any field can be missing, because an earlier release
 * may have stored the list.
 */
export type Entries = readonly Record<string, unknown>[];

/** Returns the objects in a stored list. Returns an empty list if `value` is not a list. */
export function entriesOf(value: unknown): Entries {
  if (!Array.isArray(value)) return [];
  return value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null);
}

const interval = ({ opens, closes }: Record<string, unknown>) => `${opens}–${closes}`;

/** Returns an interval of weekly hours or a break as text: `Monday 09:00–17:00`. */
export function weeklyText(entry: Record<string, unknown>): string {
  return `${WEEKDAYS[Number(entry.weekday) - 1] ?? `day ${entry.weekday}`} ${interval(entry)}`;
}

/** Returns whether an exception has no hours. At a location, such an exception is a closure. */
export function isClosure(entry: Record<string, unknown>): boolean {
  return entriesOf(entry.hours).length === 0;
}

/** Returns an exception as text: `Fri, Dec 25, 2026, closed (Christmas)`. Hours, if there are any, replace `closed`. */
export function exceptionText(entry: Record<string, unknown>): string {
  const hours = isClosure(entry) ? 'closed' : entriesOf(entry.hours).map(interval).join(', ');
  const note = typeof entry.note === 'string' && entry.note !== '' ? ` (${entry.note})` : '';
  return `${dateText(entry.date)}, ${hours}${note}`;
}

/** Formats a date. Converts any other value to a string. */
export function dateText(date: unknown): string {
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) ? formatDate(date) : String(date);
}

const LOCAL = new Intl.DateTimeFormat(LOCALE, { ...SHORT_TIME, year: 'numeric', timeZone: 'UTC' });

function localText(time: unknown): string {
  if (typeof time !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(time)) return String(time);
  return LOCAL.format(new Date(`${time.slice(0, 16)}Z`));
}

/** Returns time off as text: `Dec 21, 2026, 09:00 – Dec 28, 2026, 18:00`. */
export function timeOffText({ from, to }: Record<string, unknown>): string {
  return `${localText(from)} – ${localText(to)}`;
}
