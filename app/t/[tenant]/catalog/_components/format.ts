const LANGUAGES = new Intl.DisplayNames(['en'], { type: 'language' });

/** Returns a language's English name; the tag itself if the language is unknown. */
export function languageName(tag: string): string {
  return LANGUAGES.of(tag) ?? tag;
}

/** The days of the week in ISO order: weekday 1 is Monday. */
export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
