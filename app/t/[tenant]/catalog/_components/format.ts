import { type Formats, formatsOf } from '@/lib/platform/text/formats';

/** Returns the name of a language of the catalog in the reader's language; the tag itself if the language is unknown. */
export function languageName(tag: string, format: Formats = formatsOf('en')): string {
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

const DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Formats a local date (`YYYY-MM-DD`), for example as `Mon, Jan 6, 2025`. */
export function localDate(format: Formats, date: string, options: Intl.DateTimeFormatOptions = DATE): string {
  return format.dateTime(options, 'UTC').format(new Date(`${date}T00:00:00Z`));
}
