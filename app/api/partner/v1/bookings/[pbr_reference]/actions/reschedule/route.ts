import { rescheduleBooking as reschedule } from '@/lib/booking/bookings/partner-changes';
import { rescheduleBooking } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, referenceOf, writeResult } from '@/lib/http/partner-api/write';

/** `POST /bookings/{pbr_reference}/actions/reschedule`: reschedules a booking (contract B7). */
export const POST = partnerWriteRoute(rescheduleBooking, async (context) => {
  const outcome = await reschedule(await beginWrite(context), referenceOf(context.call), context.body);
  return writeResult(context.call, outcome);
});
