import type { Formats } from '@/lib/platform/text/formats';

/** Returns the name of a language of the catalog in the reader's language; the tag itself if the language is unknown. */
export function languageName(tag: string, format: Formats): string {
  return format.displayName('language', tag);
}

/** The ISO weekdays as keys of their names in the messages `words.weekdays`. */
export const ISO_DAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;

export function isoDay(weekday: number): (typeof ISO_DAYS)[number] {
  return ISO_DAYS[weekday - 1] ?? '1';
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
