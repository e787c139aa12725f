import { createBooking as create } from '@/lib/booking/bookings/create';
import { createBooking } from '@/lib/contract/operations';
import { forcedEffect } from '@/lib/http/partner-api/forced';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, writeResult } from '@/lib/http/partner-api/write';

/** `POST /bookings`: creates a booking of one service (contract B7). */
export const POST = partnerWriteRoute(createBooking, async (context) => {
  const { call, body } = context;
  const write = await beginWrite(context);
  const forced = await forcedEffect(call, write, body.external_reference);
  const result = writeResult(call, await create(write, body, forced?.refusal));
  return forced ? forced.finish(result) : result;
});
