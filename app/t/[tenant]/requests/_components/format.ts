import { formatCount } from '../../_components/format';

const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Formats a part of a whole as a percentage; 0% if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return SHARE.format(whole === 0 ? 0 : part / whole);
}

/** Formats a duration given in milliseconds. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 100) return `${formatCount(Math.round(milliseconds))} ms`;
  return `${milliseconds.toFixed(1)} ms`;
}

/** Shortens a route for display: `/api/partner/v1/bookings/{pbr_reference}` becomes `/bookings/{ref}`. */
export function shortRoute(route: string): string {
  return route.replace(/^\/api\/partner\/v1(?=\/)/, '').replace('{pbr_reference}', '{ref}');
}
