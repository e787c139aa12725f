import type { PartnerWrite } from '@/lib/booking/bookings/partner-write';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import type { Outcome } from '@/lib/booking/idempotency/once';
import { BASE_PATH, type WriteOperation } from '@/lib/contract/operations';
import { within } from '@/lib/platform/write-transaction';
import type { Call } from './call';
import { logEntryOf } from './log-entry';
import type { Result, WriteContext } from './partner-route';

/** Returns the booking reference from the path, as the client sent it. */
export function referenceOf(call: Call): string {
  return call.path.slice(`${BASE_PATH}/bookings/`.length).split('/')[0] ?? '';
}

/** Returns the input that lib/booking needs for a partner's write. */
export async function beginWrite(context: WriteContext<WriteOperation>): Promise<PartnerWrite> {
  const { call, policy, identity, now, budget } = context;
  return {
    policy,
    snapshot: await within(budget.endAt, snapshotOf(policy.tenantId)),
    now,
    at: call.at,
    tenantId: policy.tenantId,
    requestId: call.requestId,
    identity,
    budget,
    resolved: (resolved) => {
      call.resolved = resolved;
    },
    logEntry: (status, row) => {
      call.bookingReference = row.reference;
      call.externalReference = row.external_reference;
      call.entry = logEntryOf(call, status, null);
      return call.entry;
    },
  };
}

/** Converts the outcome of a write to its result. A replay returns the stored data, unchanged (contract B8). */
export function writeResult(call: Call, outcome: Outcome): Result {
  const { status, data, originalRequestId, bookingReference, replayed } = outcome;
  const headers: Record<string, string> = {};
  if (status === 201) headers.Location = `${BASE_PATH}/bookings/${bookingReference}`;
  call.bookingReference = bookingReference;
  if (!replayed) return { status, data, headers, logged: true };
  call.replayedFrom = originalRequestId;
  call.externalReference = referenceIn(data);
  headers['Idempotent-Replayed'] = 'true';
  headers['X-Original-Request-Id'] = originalRequestId;
  return { status, data, headers };
}

// The log entry of a replay contains this reference, so that a search for it finds the replay too.
function referenceIn(data: string): string | null {
  const { booking } = JSON.parse(data) as { booking?: { external_reference?: string } };
  return booking?.external_reference ?? null;
}
