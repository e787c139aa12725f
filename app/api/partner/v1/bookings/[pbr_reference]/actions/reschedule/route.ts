import { rescheduleBooking as reschedule } from '@/lib/bookings/reschedule';
import { rescheduleBooking } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/partner-api/partner-route';
import { beginWrite, referenceOf, writeResult } from '@/lib/partner-api/write';

/** `POST /bookings/{pbr_reference}/actions/reschedule`: versioned and idempotent (contract B7). */
export const POST = partnerWriteRoute(rescheduleBooking, async (context) => {
  const outcome = await reschedule(await beginWrite(context), referenceOf(context.call), context.body);
  return writeResult(context.call, outcome);
});
