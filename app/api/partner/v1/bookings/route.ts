import { createBooking as create } from '@/lib/booking/bookings/create';
import { listByReference } from '@/lib/booking/bookings/list-by-reference';
import { createBooking, listBookings } from '@/lib/contract/operations';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { forcedEffect } from '@/lib/http/partner-api/forced';
import { partnerRoute, partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, writeResult } from '@/lib/http/partner-api/write';

/** `GET /bookings`: returns the application's bookings with a given external reference (contract B12). */
export const GET = partnerRoute(listBookings, async ({ call, policy, query, now }) => {
  const { external_reference: externalReference, limit, cursor } = query;
  const scope = cursorScope(policy, listBookings, [externalReference]);
  const after = cursor === undefined ? null : readCursor(scope, cursor);
  const { bookings, next } = await listByReference(policy, { externalReference, limit, after }, now);
  // An external reference that matches no booking may be contact details or a credential, so it is not logged.
  if (bookings.length > 0) call.externalReference = externalReference;
  return { data: JSON.stringify({ bookings, next_cursor: next === null ? null : writeCursor(scope, next) }) };
});

/** `POST /bookings`: creates a booking for one service (contract B7). */
export const POST = partnerWriteRoute(createBooking, async (context) => {
  const { call, body } = context;
  const write = await beginWrite(context);
  const forced = await forcedEffect(call, write, body.external_reference);
  const result = writeResult(call, await create(write, body, forced?.refusal));
  return forced ? forced.finish(result) : result;
});
