import { createBooking as create } from '@/lib/booking/bookings/create';
import { createBooking } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, writeResult } from '@/lib/http/partner-api/write';

/** `POST /bookings`: creates a booking of one service (contract B7). */
export const POST = partnerWriteRoute(createBooking, async (context) => {
  const outcome = await create(await beginWrite(context), context.body);
  return writeResult(context.call, outcome);
});
