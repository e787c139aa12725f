import type { Translator } from '@/app/_components/language';

const CODES = [
  ...(['not_calendar', 'too_large', 'too_complex', 'too_many', 'unsupported_rule', 'timeout', 'http_status'] as const),
  ...(['refused_address', 'redirect', 'name_not_found', 'tls', 'unreadable_url'] as const),
];

/** Returns why a calendar could not be read. */
export function problemText(t: Translator<'common.calendars.problems'>, code: string): string {
  return t(CODES.find((one) => one === code) ?? 'other');
}
