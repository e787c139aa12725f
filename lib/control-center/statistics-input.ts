// Browsers load this file, so it imports nothing.

export const GROUPINGS = ['service', 'specialist', 'location', 'application', 'week'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Days of a period. */
export const MAX_DAYS = 366;
