import type { Formats } from '@/lib/platform/text/formats';

/** Formats a part of a whole as a percentage; 0% if the whole is 0. */
export function formatShare(part: number, whole: number, format: Formats): string {
  return format.percent(whole === 0 ? 0 : part / whole, 1);
}

const TENTHS = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/** Formats a duration given in milliseconds. */
export function formatDuration(milliseconds: number, format: Formats): string {
  if (milliseconds >= 10_000) return `${format.number(TENTHS).format(milliseconds / 1000)} s`;
  if (milliseconds >= 100) return `${format.count(Math.round(milliseconds))} ms`;
  return `${format.number(TENTHS).format(milliseconds)} ms`;
}

/** Shortens a route for display: `/api/partner/v1/bookings/{pbr_reference}` becomes `/bookings/{ref}`. */
export function shortRoute(route: string): string {
  return route.replace(/^\/api\/partner\/v1(?=\/)/, '').replace('{pbr_reference}', '{ref}');
}
