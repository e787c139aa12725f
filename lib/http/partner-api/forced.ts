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

/** Milliseconds. */
const DELAY = 3_000;

/** Seconds. */
const RETRY_AFTER = 1;

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

/** All processes share the rate limiter's counts, which expire after a minute. */
async function isFirstTry({ identity }: PartnerWrite): Promise<boolean> {
  const { exceeded } = await consumeAttempt(`forced:${identity.keyHash.toString('base64')}`, 1);
  return !exceeded;
}

/** During the delay, the request holds no database connection and does not count as work in flight. */
async function delay(call: Call): Promise<void> {
  call.endWork?.();
  await sleep(DELAY);
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
