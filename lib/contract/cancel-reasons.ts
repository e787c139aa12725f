/** Why a booking is canceled (contract B7). Browsers load this file, so it imports nothing. */
export const CANCEL_REASONS = ['customer_request', 'duplicate', 'other'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];
