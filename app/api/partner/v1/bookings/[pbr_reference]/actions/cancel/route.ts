import { cancelBooking as cancel } from '@/lib/bookings/cancel';
import { cancelBooking } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/partner-api/partner-route';
import { beginWrite, referenceOf, writeResult } from '@/lib/partner-api/write';

/** `POST /bookings/{pbr_reference}/actions/cancel`: versioned and idempotent (contract B7). */
export const POST = partnerWriteRoute(cancelBooking, async (context) => {
  const outcome = await cancel(await beginWrite(context), referenceOf(context.call), context.body);
  return writeResult(context.call, outcome);
});
