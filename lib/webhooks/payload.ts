/**
 * Returns the payload of an event with its sequence, as it is sent and listed (contract B16). An event that is older than
 * its sequence, or than 30 days, has none. The number is known only at the commit, so the stored payload lacks it.
 */
export function withSequence(payload: string, sequence: string | bigint | null): string {
  return sequence === null ? payload : `${payload.slice(0, -1)},"sequence":${sequence}}`;
}
