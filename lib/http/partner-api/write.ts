import type { PartnerWrite } from '@/lib/booking/bookings/partner-write';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import type { Outcome } from '@/lib/booking/idempotency/once';
import { BASE_PATH, type WriteOperation } from '@/lib/contract/operations';
import { within } from '@/lib/platform/write-transaction';
import type { Call } from './call';
import { lineOf } from './log-line';
import type { Result, WriteContext } from './partner-route';

/** Returns the reference in the path of a booking's routes, as it was sent. */
export function referenceOf(call: Call): string {
  return call.path.slice(`${BASE_PATH}/bookings/`.length).split('/')[0] ?? '';
}

/** Returns what the domain needs to do a partner's write. */
export async function beginWrite(context: WriteContext<WriteOperation>): Promise<PartnerWrite> {
  const { call, policy, identity, now, budget } = context;
  return {
    policy,
    snapshot: await within(budget.endAt, snapshotOf(policy.tenantId)),
    now,
    tenantId: policy.tenantId,
    requestId: call.requestId,
    identity,
    budget,
    line: (status, row) => {
      call.bookingReference = row.reference;
      call.externalReference = row.external_reference;
      return lineOf(call, status, null);
    },
  };
}

/** Returns the answer of a write: its own, or the one that it replays, as it was (contract B8). */
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

// Of the answer as it was: the log finds a replay by its reference as it finds the original.
function referenceIn(data: string): string | null {
  const { booking } = JSON.parse(data) as { booking?: { external_reference?: string } };
  return booking?.external_reference ?? null;
}
