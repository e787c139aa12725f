import { WITHOUT_CONTROLS } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';

const NOTE = 'must have at most 500 characters, without control characters';

/** What the business notes about a booking. Lines are allowed. Null if it is empty. */
export const noteText = boundedText(2_000, NOTE)
  .trim()
  .refine((text) => [...text].length <= 500 && text.split('\n').every((line) => WITHOUT_CONTROLS.test(line)), NOTE)
  .transform((text) => text || null)
  .nullable()
  .default(null);
