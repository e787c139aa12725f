import type { BookingDetail } from './types';

/** A reason why the catalog no longer allows a booking. Such a booking is outside the catalog. */
export type OutsideReason = NonNullable<BookingDetail['outside']>;
