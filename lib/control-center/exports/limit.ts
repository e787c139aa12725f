/** Rows. */
export const MAX_EXPORTED = 100_000;

/** If an exported file does not contain all matching rows, its last line starts with this text. */
export const LIMIT_NOTE = 'Limit of 100,000 rows reached';
