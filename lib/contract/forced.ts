/** Words for the `external_reference` of a create. In TEST, each word forces a certain response (contract B13). */
export const FORCED = ['503', '429', 'slot_taken', 'lost_response', 'slow', 'completed', 'no_show'] as const;

/** A word that forces a response. */
export type Forced = (typeof FORCED)[number];

/**
 * Returns the word in an external reference that forces a response, or null if there is none. Such a reference is
 * `test:` followed by the word. A colon and any text may follow, so that references can be unique.
 */
export function forcedBy(externalReference: string): Forced | null {
  const [prefix, word] = externalReference.split(':', 2);
  return (prefix === 'test' && FORCED.find((one) => one === word)) || null;
}
