import { setTimeout as sleep } from 'node:timers/promises';
import type { PartnerWrite } from '@/lib/booking/bookings/change';
import { changeByOwner, type OwnerAction } from '@/lib/booking/bookings/owner-change';
import { unavailable } from '@/lib/booking/bookings/resolve';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import type { Outcome } from '@/lib/booking/idempotency/once';
import { busyExternalId } from '@/lib/contract/busy';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { type Forced, forcedBy } from '@/lib/contract/forced';
import { BASE_PATH, type WriteOperation } from '@/lib/contract/operations';
import { env } from '@/lib/platform/env';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { within } from '@/lib/platform/write-transaction';
import { type Call, externalReferenceOf, logEntryOf } from './call';
import type { WriteContext } from './partner-route';
import type { Result } from './response';

/** Returns the booking reference from the path, as the client sent it. */
export function referenceOf(call: Call): string {
  return call.path.slice(`${BASE_PATH}/bookings/`.length).split('/')[0] ?? '';
}

/** Returns the id of a busy time from the path (contract B15). @throws AppError invalid_request if it is too long. */
export function externalIdOf({ path }: Call): string {
  const parsed = busyExternalId.safeParse(path.slice(`${BASE_PATH}/busy/`.length));
  if (!parsed.success) throw invalidField('external_id', 'must have at most 100 characters');
  return parsed.data;
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
      return logEntryOf(call, status, null);
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

const DELAY_MS = 3_000;

const RETRY_AFTER_SECONDS = 1;

type ForcedEffect = {
  /** Sent unless a success is already stored for the idempotency key. */
  refusal: AppError | null;
  /** Call after the commit. */
  finish: (result: Result) => Promise<Result>;
};

/** Returns the outcome that an external reference forces (contract B13), or null. In LIVE, always null. */
export async function forcedEffect(
  call: Call,
  write: PartnerWrite,
  externalReference: string,
): Promise<ForcedEffect | null> {
  const forced = env().ENVIRONMENT === 'TEST' ? forcedBy(externalReference) : null;
  if (forced === null) return null;
  return {
    refusal: await forcedRefusal(forced, call, write),
    finish: async (result) => {
      if (forced === 'completed') await settle(call, write, 'complete');
      if (forced === 'no_show') await settle(call, write, 'no_show');
      const replayed = call.replayedFrom !== null;
      if (forced === 'lost_response' && !replayed) return { ...result, lost: true };
      if (forced === 'slow' && !replayed) await delay(call);
      return result;
    },
  };
}

async function forcedRefusal(forced: Forced, call: Call, write: PartnerWrite): Promise<AppError | null> {
  if (forced === 'slot_taken') return unavailable('slot_taken');
  if ((forced !== '503' && forced !== '429') || !(await isFirstTry(write))) return null;
  if (forced === '503') {
    // So that the log entry tells it from a failure. Only those of refusals with a 4xx have what was requested.
    call.externalReference = externalReferenceOf(call.body);
    return new AppError('service_unavailable');
  }
  if (call.quota) call.quota = { ...call.quota, remaining: 0 };
  return new AppError('rate_limited', { retryAfter: RETRY_AFTER_SECONDS });
}

/** All processes share the rate limiter's counts, which expire after a minute. */
async function isFirstTry({ identity }: PartnerWrite): Promise<boolean> {
  const { exceeded } = await consumeAttempt(`forced:${identity.keyHash.toString('base64')}`, 1);
  return !exceeded;
}

/** During the delay, the request holds no database connection and does not count as work in flight. */
async function delay(call: Call): Promise<void> {
  call.endWork?.();
  await sleep(DELAY_MS);
}

/** A replay does this too: the original process may have been killed between the creation and this change. */
async function settle(call: Call, write: PartnerWrite, action: OwnerAction): Promise<void> {
  const { tenantId, now, at: auditedAt } = write;
  const actor = { kind: 'system' } as const;
  const change = { tenantId, actor, action, expectedVersion: 1, cancelReason: null, auditedAt };
  try {
    await changeByOwner(now, { ...change, reference: call.bookingReference ?? '', beforeStart: true });
  } catch (error) {
    // If the version is no longer 1, the booking has changed since its creation and is not changed again.
    if (!(error instanceof AppError) || error.code !== 'version_conflict') throw error;
  }
}
