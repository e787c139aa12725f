import type { BookingDetail } from './types';

/** A reason why the catalog no longer allows a booking. Such a booking is outside the catalog. */
export type OutsideReason = NonNullable<BookingDetail['outside']>;

/** The text for each reason. It continues a sentence about the booking. */
export const OUTSIDE_REASONS: Record<OutsideReason, string> = {
  service_unpublished: 'the service is unpublished',
  location_unpublished: 'the location is unpublished',
  specialist_unpublished: 'the specialist is unpublished',
  not_offered: 'the specialist does not offer the service at this location',
  outside_hours: 'outside working or opening hours',
  blocked: 'in blocked time',
};
