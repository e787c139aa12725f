import { z } from 'zod';
import { booking, externalReference } from './bookings';
import { cursorParameter, limitParameter, nextCursor } from './common';

/** Maximum number of bookings per page (contract B12). */
const MAX_BOOKINGS = 100;

/** Query of `GET /bookings` (contract B12). `external_reference` is required, so a partner cannot list all bookings. */
export const bookingsQuery = z.strictObject({
  external_reference: externalReference.meta({
    description: 'The `external_reference` of the bookings, exactly as sent when the bookings were created.',
  }),
  limit: limitParameter(MAX_BOOKINGS, 25),
  cursor: cursorParameter.optional(),
});

/** Data of `GET /bookings`: a page of bookings, newest first. */
export const bookingsData = z.strictObject({
  bookings: z
    .array(booking)
    .max(MAX_BOOKINGS)
    .meta({ description: 'Newest first. Empty if your application has no booking with this reference.' }),
  next_cursor: nextCursor,
});
