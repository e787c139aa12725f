import { createBooking as create } from '@/lib/booking/bookings/create';
import { listByReference } from '@/lib/booking/bookings/list-by-reference';
import { allowedLocation } from '@/lib/booking/catalog/resolve';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { type Filter, listBookings as listPage, type Position } from '@/lib/booking/reconcile/bookings';
import { MAX_RANGE_DAYS } from '@/lib/contract/bookings-list';
import { invalidField } from '@/lib/contract/errors/app-error';
import { createBooking, listBookings } from '@/lib/contract/operations';
import { cursorScope, readCursor, writeCursor } from '@/lib/http/partner-api/cursor';
import { type Context, partnerRoute, partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import type { Result } from '@/lib/http/partner-api/response';
import { beginWrite, forcedEffect, writeResult } from '@/lib/http/partner-api/write';

type ListContext = Context<typeof listBookings>;

/** `GET /bookings`: returns the application's bookings with a given external reference (contract B12), or lists them (B16). */
export const GET = partnerRoute(listBookings, async (context) => {
  const { external_reference, from, updated_since, status, location_id } = context.query;
  const alone = [from, updated_since, status, location_id].every((filter) => filter === undefined);
  return alone && external_reference !== undefined ? find(context, external_reference) : list(context);
});

async function find({ call, policy, query, now }: ListContext, externalReference: string): Promise<Result> {
  const { limit, cursor } = query;
  const scope = cursorScope(policy, listBookings, [externalReference]);
  const after = cursor === undefined ? null : readCursor(scope, cursor);
  const { bookings, next } = await listByReference(policy, { externalReference, limit, after }, now);
  // An external reference that matches no booking may be contact details or a credential, so it is not logged.
  if (bookings.length > 0) call.externalReference = externalReference;
  return { data: JSON.stringify({ bookings, next_cursor: next === null ? null : writeCursor(scope, next) }) };
}

async function list({ call, policy, query, now }: ListContext): Promise<Result> {
  // Commits have the real time, also if the application has advanced its clock (contract B20).
  const filter = filterOf(query, call.at);
  if (filter.locationId !== null) allowedLocation(await snapshotOf(policy.tenantId), policy, filter.locationId);
  const { days, updatedSince, externalReference, status, locationId } = filter;
  const filters = [days?.from ?? null, days?.to ?? null, updatedSince, externalReference, status, locationId];
  const scope = cursorScope(policy, listBookings, ['list', ...filters, policy.locationKey]);
  const position = query.cursor === undefined ? null : positionIn(readCursor(scope, query.cursor));
  const { bookings, latest, next } = await listPage(policy, filter, { position, limit: query.limit, now });
  const data = {
    bookings,
    next_cursor: next && writeCursor(scope, positionText(next)),
    sequence: latest.sequence,
    next_updated_since: latest.committedAt?.toISOString() ?? null,
  };
  return { data: JSON.stringify(data) };
}

/** @throws AppError invalid_request if `updated_since` is too long ago. */
function filterOf(query: ListContext['query'], now: Date): Filter {
  const { from, to, updated_since = null, external_reference = null, status = null, location_id = null } = query;
  const age = updated_since === null ? 0 : now.getTime() - Date.parse(updated_since);
  if (age > MAX_RANGE_DAYS * 86_400_000)
    throw invalidField('updated_since', `must be at most ${MAX_RANGE_DAYS} days ago`);
  return {
    days: from !== undefined && to !== undefined ? { from, to } : null,
    updatedSince: updated_since,
    externalReference: external_reference,
    status,
    locationId: location_id,
  };
}

function positionText({ after, sequence, committedAt }: Position): string {
  return [after, sequence, committedAt?.getTime() ?? ''].join(' ');
}

// The cursor is authenticated, so the text is one of `positionText`.
function positionIn(text: string): Position {
  const [after = '', sequence, committedAt] = text.split(' ');
  return {
    after,
    sequence: Number(sequence),
    committedAt: committedAt ? new Date(Number(committedAt)) : null,
  };
}

/** `POST /bookings`: creates a booking for one service (contract B7). */
export const POST = partnerWriteRoute(createBooking, async (context) => {
  const { call, body } = context;
  const write = await beginWrite(context);
  const forced = await forcedEffect(call, write, body.external_reference);
  const result = writeResult(call, await create(write, body, forced?.refusal));
  return forced ? forced.finish(result) : result;
});
