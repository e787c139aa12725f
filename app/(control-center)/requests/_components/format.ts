const COUNT = new Intl.NumberFormat('en');
const SHARE = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** Returns a whole number with separators. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Returns a number of requests in words. */
export function formatRequests(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'request' : 'requests'}`;
}

/** Returns a part of a whole in percent; nothing of nothing is nothing. */
export function formatShare(part: number, whole: number): string {
  return SHARE.format(whole === 0 ? 0 : part / whole);
}

/** Returns a duration given in milliseconds, as exact as it is of use. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  if (milliseconds >= 100) return `${COUNT.format(Math.round(milliseconds))} ms`;
  return `${milliseconds.toFixed(1)} ms`;
}

/** Returns a route without what all of them begin with, and with the shorter name of what varies. */
export function shortRoute(route: string): string {
  return route.replace(/^\/api\/partner\/v1(?=\/)/, '').replace('{pbr_reference}', '{ref}');
}
