import type { BrokenRule } from './types';

/** What a booking breaks, by rule. */
export const RULES: Record<BrokenRule, string> = {
  lead_time: 'It is in the past, or sooner than the lead time of the service allows.',
  max_advance: 'It is further ahead than the service can be booked.',
  blocked: 'It is inside blocked time of the specialist, the location, or the business.',
  outside_schedule:
    'It is outside the hours of the location or the specialist, or not at one of the usual starts of the service.',
};
