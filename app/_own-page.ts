import { env } from '@/lib/env';

/**
 * Tells whether a call comes from our own pages: it carries a header that a form or a link of another site cannot set,
 * and a browser says where it comes from.
 */
export function isOwnPage({ headers }: Request): boolean {
  if (headers.get('x-partner-booking') !== 'control-center') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin === null || origin === env().origin;
}
