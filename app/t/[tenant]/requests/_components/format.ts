import { type Formats, formatsOf } from '@/lib/platform/text/formats';

/** Formats a part of a whole as a percentage; 0% if the whole is 0. */
export function formatShare(part: number, whole: number, format: Formats = formatsOf('en')): string {
  return format.percent(whole === 0 ? 0 : part / whole, 1);
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** Formats a duration given in milliseconds. */
export function formatDuration(milliseconds: number, format: Formats = formatsOf('en')): string {
  if (milliseconds >= 10_000) return `${format.number(TENTHS).format(milliseconds / 1000)} s`;
  if (milliseconds >= 100) return `${format.count(Math.round(milliseconds))} ms`;
  return `${format.number(TENTHS).format(milliseconds)} ms`;
}

/** Shortens a route for display: `/api/partner/v1/bookings/{pbr_reference}` becomes `/bookings/{ref}`. */
export function shortRoute(route: string): string {
  return route.replace(/^\/api\/partner\/v1(?=\/)/, '').replace('{pbr_reference}', '{ref}');
}

const DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Formats a local date (`YYYY-MM-DD`), for example as `Mon, Jan 6, 2025`. */
export function dateText(format: Formats, date: string): string {
  return format.dateTime(DATE, 'UTC').format(new Date(`${date}T00:00:00Z`));
}
