import { readBooking as read } from '@/lib/booking/bookings/find';
import { readBooking } from '@/lib/contract/operations';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { referenceOf } from '@/lib/http/partner-api/write';

/** `GET /bookings/{pbr_reference}`: returns the calling application's booking with its version (contract B7). */
export const GET = partnerRoute(readBooking, async ({ call, policy, now }) => {
  const booking = await read(policy, referenceOf(call), now);
  call.bookingReference = booking.reference;
  return { data: JSON.stringify({ booking }) };
});
