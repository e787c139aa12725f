/** The languages of the Control Center and of mails. English is the source of the others. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** Returns the language that a language tag stands for, such as `de` for `de-CH`; undefined if it is none of ours. */
export function languageOfTag(tag: string): Language | undefined {
  const [primary] = tag.toLowerCase().split('-');
  return LANGUAGES.find((language) => language === primary);
}

/** The clock of times of day: with a.m. and p.m., or from 00 to 23. */
export const HOUR_CYCLES = ['h23', 'h12'] as const;

export type HourCycle = (typeof HOUR_CYCLES)[number];
