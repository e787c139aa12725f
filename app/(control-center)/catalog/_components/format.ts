const HOUR = 60;
const DAY = 1_440;

/** Returns minutes in words: `1 h 30 min`, `2 days`. */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % DAY === 0) return minutes === DAY ? '1 day' : `${minutes / DAY} days`;
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** Returns how many minor units a currency's unit has, as a power of ten. */
export function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Returns an amount of minor units with its currency. */
export function formatPrice(amount: number, currency: string): string {
  try {
    const value = amount / 10 ** fractionDigits(currency);
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value);
  } catch {
    return `${amount} ${currency}`;
  }
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Returns what a language is called. */
export function languageName(tag: string): string {
  return LANGUAGES.of(tag) ?? tag;
}

/** The days of the week, 1 is Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
