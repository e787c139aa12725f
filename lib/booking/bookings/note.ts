import { noteLines } from '@/lib/contract/optional-fields';

/** What the business notes about a booking. Lines are allowed. Null if it is empty. */
export const noteText = noteLines
  .transform((text) => text || null)
  .nullable()
  .default(null);
