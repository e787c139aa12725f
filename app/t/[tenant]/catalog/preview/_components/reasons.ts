import type { Translator } from '@/app/_components/language';

/**
 * Returns why a start cannot be booked, by the reason that partners get. Returns the reason itself if a later version of
 * the server states another one.
 */
export function reasonText(t: Translator<'catalog.reasons'>, reason: string): string {
  const key = reason as 'lead_time';
  return t.has(key) ? t(key) : reason;
}
