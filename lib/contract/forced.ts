/** Words in the `external_reference` of `POST /bookings`. In TEST, they force a response or a status (contract B13). */
export const FORCED = ['503', '429', 'slot_taken', 'lost_response', 'slow', 'completed', 'no_show'] as const;

export type Forced = (typeof FORCED)[number];

/**
 * Returns the word from `FORCED` that an external reference contains, or null if it contains none. The reference must
 * begin with `test:` and the word. A colon and any text can follow, so that references can be unique.
 */
export function forcedBy(externalReference: string): Forced | null {
  const [prefix, word] = externalReference.split(':', 2);
  return (prefix === 'test' && FORCED.find((one) => one === word)) || null;
}
