import type { Formats } from '@/lib/platform/text/formats';
import { SHORT_TIME } from '../../_components/time/moments';
import { dateText as localDate, timeText as localTime } from '../../bookings/_components/display/format';
import { messageFor, type Texts } from './texts';

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

/** Formats a local time (`HH:MM`) on the reader's clock. Converts any other value to a string. */
export function timeText(format: Formats, time: unknown): string {
  return typeof time === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? localTime(format, time) : String(time);
}

const interval = (format: Formats, { opens, closes }: Record<string, unknown>) =>
  `${timeText(format, opens)}–${timeText(format, closes)}`;

/** Returns an interval of weekly hours or a break as text: `Monday 09:00–17:00`. */
export function weeklyText({ t, words, format }: Texts, entry: Record<string, unknown>): string {
  const number = String(entry.weekday);
  return `${messageFor(words, `weekdays.${number}`) ?? t('values.weekday', { number })} ${interval(format, entry)}`;
}

/** Returns whether an exception has no hours. At a location, such an exception is a closure. */
export function isClosure(entry: Record<string, unknown>): boolean {
  return entriesOf(entry.hours).length === 0;
}

/** Returns an exception as text: `Fri, Dec 25, 2026, closed (Christmas)`. Hours, if there are any, replace `closed`. */
export function exceptionText({ t, format }: Texts, entry: Record<string, unknown>): string {
  const hours = isClosure(entry)
    ? t('values.closed')
    : entriesOf(entry.hours)
        .map((one) => interval(format, one))
        .join(', ');
  const note = typeof entry.note === 'string' && entry.note !== '' ? ` (${entry.note})` : '';
  return `${dateText(format, entry.date)}, ${hours}${note}`;
}

/** Formats a date. Converts any other value to a string. */
export function dateText(format: Formats, date: unknown): string {
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) ? localDate(format, date) : String(date);
}

/** The format of timestamps. */
export const INSTANT = { ...SHORT_TIME, year: 'numeric' } as const;

function localText(format: Formats, time: unknown): string {
  if (typeof time !== 'string' || !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(time)) return String(time);
  return format.dateTime(INSTANT, 'UTC').format(new Date(`${time.slice(0, 16)}Z`));
}

/** Returns time off as text: `Dec 21, 2026, 09:00 – Dec 28, 2026, 18:00`. */
export function timeOffText(format: Formats, { from, to }: Record<string, unknown>): string {
  return `${localText(format, from)} – ${localText(format, to)}`;
}
