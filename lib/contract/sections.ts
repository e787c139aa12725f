/** The sections of docs/contract.md, with their anchors on the page `/docs/contract`. */
const CONTRACT_SECTIONS = {
  A: 'a-requirements',
  B1: 'b1-identifiers-and-wire-types',
  B2: 'b2-order-of-checks',
  B3: 'b3-error-body',
  B4: 'b4-catalog-record',
  B5: 'b5-specialist-record-and-cursors',
  B6: 'b6-availability',
  B7: 'b7-booking',
  B8: 'b8-idempotency-keys',
  B9: 'b9-rate-limit',
  B10: 'b10-keys',
  B11: 'b11-events-and-webhooks',
  B12: 'b12-bookings-by-external-reference',
  B13: 'b13-forced-responses-in-test',
  B14: 'b14-test-events',
  B15: 'b15-busy-times-of-own-systems',
  B16: 'b16-lists-events-digest-me',
  B17: 'b17-days-next-slot-and-tokens',
  B18: 'b18-explanations',
  B19: 'b19-optional-fields-of-a-booking',
  B20: 'b20-clock-and-owner-in-test',
  B21: 'b21-readiness-of-an-integration',
} as const;

export const CONTRACT_PATH = '/docs/contract';

/** Returns the path of the contract page with the anchor of a section. If the section is unknown, the path has no anchor. */
export function contractPath(section: string): string {
  const anchor = Object.entries(CONTRACT_SECTIONS).find(([name]) => name === section)?.[1];
  return anchor ? `${CONTRACT_PATH}#${anchor}` : CONTRACT_PATH;
}
