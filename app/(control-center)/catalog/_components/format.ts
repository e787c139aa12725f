const HOUR = 60;
const DAY = 1_440;

/** Formats a number of minutes, such as `1 h 30 min` or `2 days`. */
export function formatMinutes(minutes: number): string {
  if (minutes > 0 && minutes % DAY === 0) return minutes === DAY ? '1 day' : `${minutes / DAY} days`;
  const hours = Math.floor(minutes / HOUR);
  const rest = minutes % HOUR;
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(' ');
}

/** Returns the number of decimal places of a currency; 2 if the currency is unknown. */
export function fractionDigits(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}

/** Formats an amount in minor units of a currency, together with the currency. */
export function formatPrice(amount: number, currency: string): string {
  try {
    const value = amount / 10 ** fractionDigits(currency);
    return new Intl.NumberFormat('en', { style: 'currency', currency }).format(value);
  } catch {
    return `${amount} ${currency}`;
  }
}

const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Returns the English name of a language; the tag itself if the language is unknown. */
export function languageName(tag: string): string {
  return LANGUAGES.of(tag) ?? tag;
}

/** The days of the week in ISO order: weekday 1 is Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
