import { setTimeout as sleep } from 'node:timers/promises';
import { changeByOwner, type OwnerAction } from '@/lib/booking/bookings/owner-change';
import type { PartnerWrite } from '@/lib/booking/bookings/partner-write';
import { unavailable } from '@/lib/booking/bookings/resolve';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Forced, forcedBy } from '@/lib/contract/forced';
import { env } from '@/lib/platform/env';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import type { Call } from './call';
import type { Result } from './partner-route';

/** Milliseconds by which the external reference `test:slow` delays a response. */
const DELAY = 3_000;

/** Retry-After of a forced 429, in seconds. */
const RETRY_AFTER = 1;

/** The outcome that the sandbox forces for the creation of one booking (contract B13). */
type ForcedEffect = {
  /**
   * The refusal that is sent instead of creating a booking. If a success is already stored for the idempotency key, the
   * success is sent instead.
   */
  refusal: AppError | null;
  /**
   * Applies the forced outcome to the new booking or to its response, and returns the result to send. Must be called
   * after the booking is committed.
   */
  finish: (result: Result) => Promise<Result>;
};

/**
 * Returns the outcome, such as a refusal, that the external reference of a new booking forces (contract B13). Returns
 * null if it forces none. In LIVE, always returns null.
 */
export async function forcedEffect(
  call: Call,
  write: PartnerWrite,
  externalReference: string,
): Promise<ForcedEffect | null> {
  const forced = env().ENVIRONMENT === 'TEST' ? forcedBy(externalReference) : null;
  if (forced === null) return null;
  return {
    refusal: await refusalOf(forced, call, write),
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

async function refusalOf(forced: Forced, call: Call, write: PartnerWrite): Promise<AppError | null> {
  if (forced === 'slot_taken') return unavailable('slot_taken');
  if ((forced !== '503' && forced !== '429') || !(await isFirstTry(write))) return null;
  if (forced === '503') return new AppError('service_unavailable');
  if (call.quota) call.quota = { ...call.quota, remaining: 0 };
  return new AppError('rate_limited', { retryAfter: RETRY_AFTER });
}

/**
 * Returns whether this is the first request with this idempotency key within a minute. Uses the rate limiter's counts,
 * because all processes share them, and they expire after a minute.
 */
async function isFirstTry({ identity }: PartnerWrite): Promise<boolean> {
  const { exceeded } = await consumeAttempt(`forced:${identity.keyHash.toString('base64')}`, 1);
  return !exceeded;
}

/**
 * Delays the response. During the delay, the request holds no database connection and does not count as work in
 * flight.
 */
async function delay(call: Call): Promise<void> {
  call.endWork?.();
  await sleep(DELAY);
}

/**
 * Completes the new booking or marks it as a no-show, even before its start. A replay does this too, because the
 * process of the original request may have been killed between the creation and this change.
 */
async function settle(call: Call, write: PartnerWrite, action: OwnerAction): Promise<void> {
  const { tenantId, now } = write;
  const change = { tenantId, actor: { kind: 'system' }, action, expectedVersion: 1, cancelReason: null } as const;
  try {
    await changeByOwner(now, { ...change, reference: call.bookingReference ?? '', beforeStart: true });
  } catch (error) {
    // If the version is no longer 1, the booking has changed since its creation and is not changed again.
    if (!(error instanceof AppError) || error.code !== 'version_conflict') throw error;
  }
}
