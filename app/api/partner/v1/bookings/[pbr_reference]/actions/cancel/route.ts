import { cancelBooking as cancel } from '@/lib/booking/bookings/partner-changes';
import { cancelBooking } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, referenceOf, writeResult } from '@/lib/http/partner-api/write';

/** `POST /bookings/{pbr_reference}/actions/cancel`: cancels a booking (contract B7). */
export const POST = partnerWriteRoute(cancelBooking, async (context) => {
  const outcome = await cancel(await beginWrite(context), referenceOf(context.call), context.body);
  return writeResult(context.call, outcome);
});
