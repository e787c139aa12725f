/**
 * Words in the `external_reference` of a `POST /bookings` request. In TEST, each word forces a certain response or a
 * certain status of the booking (contract B13).
 */
export const FORCED = ['503', '429', 'slot_taken', 'lost_response', 'slow', 'completed', 'no_show'] as const;

/** One of these words. */
export type Forced = (typeof FORCED)[number];

/**
 * Returns the word from `FORCED` that an external reference contains, or null if it contains none. A reference with
 * such a word starts with `test:` and the word. A colon and any text may follow, so that references can be unique.
 */
export function forcedBy(externalReference: string): Forced | null {
  const [prefix, word] = externalReference.split(':', 2);
  return (prefix === 'test' && FORCED.find((one) => one === word)) || null;
}
