import type { HourCycle, Language } from './languages';

const LOCALES: Record<Language, string> = { en: 'en-US', de: 'de-DE', fr: 'fr-FR', es: 'es-ES' };

/** A formatter of dates. Both methods use only ordinary and no-break spaces. */
type DateFormat = {
  format(date: Date): string;
  formatToParts(date: Date): Intl.DateTimeFormatPart[];
  formatRange(from: Date, to: Date): string;
};

/** How a person reads numbers, dates, and lists. */
export type Formats = {
  language: Language;
  hourCycle: HourCycle;
  /** A whole number with thousands separators. */
  count(value: number): string;
  /** A share from 0 to 1. `digits` is the largest number of decimals. */
  percent(share: number, digits?: number): string;
  /** `a, b, and c`. */
  list(texts: readonly string[]): string;
  number(options: Intl.NumberFormatOptions): { format(value: number): string };
  /**
   * @param timeZone UTC, for text that must not be converted, or the reader's time zone, which is the default. Never the
   *   time zone of a booking or the business: the browser's rules for it may be older than those of the server.
   */
  dateTime(options: Intl.DateTimeFormatOptions, timeZone?: 'UTC'): DateFormat;
  /** The name of a region or language, by its code. The code itself if there is no name. */
  displayName(type: 'region' | 'language', code: string): string;
  /** For sorting names. */
  compare(one: string, other: string): number;
};

// Versions of CLDR differ in U+202F and U+00A0: the server and the browser would render different text.
const plain = (text: string) => text.replaceAll('\u202f', '\u00a0');

const known = new Map<string, Formats>();

/** Returns the formats of a person. They are cached, with their formatters: a page has hundreds of timestamps. */
export function formatsOf(language: Language, hourCycle: HourCycle = 'h23'): Formats {
  const key = `${language} ${hourCycle}`;
  const formats = known.get(key) ?? makeFormats(language, hourCycle);
  known.set(key, formats);
  return formats;
}

function makeFormats(language: Language, hourCycle: HourCycle): Formats {
  const locale = LOCALES[language];
  const numbers = new Map<string, Intl.NumberFormat>();
  const dates = new Map<string, DateFormat>();
  const names = new Map<string, Intl.DisplayNames>();
  const lists = new Intl.ListFormat(locale);
  const collator = new Intl.Collator(locale, { numeric: true });
  // The pages use only a few options, so these caches stay small.
  const cached = <T>(cache: Map<string, T>, key: string, make: () => T): T => {
    const found = cache.get(key) ?? make();
    cache.set(key, found);
    return found;
  };
  const number = (options: Intl.NumberFormatOptions) => {
    const format = cached(numbers, JSON.stringify(options), () => new Intl.NumberFormat(locale, options));
    return { format: (value: number) => plain(format.format(value)) };
  };
  return {
    language,
    hourCycle,
    number,
    count: (value) => number({}).format(value),
    percent: (share, digits = 0) => number({ style: 'percent', maximumFractionDigits: digits }).format(share),
    list: (texts) => lists.format(texts),
    dateTime: (options, timeZone) =>
      cached(dates, JSON.stringify([options, timeZone]), () => {
        const clock = options.hourCycle ? { hourCycle } : {};
        const format = new Intl.DateTimeFormat(locale, { ...options, ...clock, timeZone });
        return {
          format: (date) => plain(format.format(date)),
          formatToParts: (date) => format.formatToParts(date).map((part) => ({ ...part, value: plain(part.value) })),
          formatRange: (from, to) => plain(format.formatRange(from, to)),
        };
      }),
    displayName: (type, code) =>
      cached(names, type, () => new Intl.DisplayNames([locale], { type, fallback: 'code' })).of(code) ?? code,
    compare: collator.compare,
  };
}
