/** The languages of the Control Center and of mails. English is the source of the others. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const;

export type Language = (typeof LANGUAGES)[number];

/** The clock of times of day: with a.m. and p.m., or from 00 to 23. */
export const HOUR_CYCLES = ['h23', 'h12'] as const;

export type HourCycle = (typeof HOUR_CYCLES)[number];
