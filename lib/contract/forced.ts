/** The words with which the `external_reference` of a create forces a response in TEST (contract B13). */
export const FORCED = ['503', '429', 'slot_taken', 'lost_response', 'slow', 'completed', 'no_show'] as const;

/** A word that forces a response. */
export type Forced = (typeof FORCED)[number];

/**
 * Returns the word of an external reference that forces a response, or null. Such a reference is `test:` and the word,
 * optionally followed by a colon and any text, so that references can be unique.
 */
export function forcedBy(externalReference: string): Forced | null {
  const [prefix, word] = externalReference.split(':', 2);
  return (prefix === 'test' && FORCED.find((one) => one === word)) || null;
}
