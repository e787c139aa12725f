/** Maximum number of rows in an exported file. */
export const MAX_EXPORTED = 100_000;

/** The start of the last line of a file that does not contain all matching rows. */
export const LIMIT_NOTE = 'Limit of 100,000 rows reached';
