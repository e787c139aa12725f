import { countAttempt } from '@/lib/activity/metrics/counters';
import type { Clock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { createTurns } from '@/lib/platform/turns';
import type { Lease } from './lease';
import { recordAttempt } from './record-attempt';
import { signersOf } from './secrets';
import { failed, type Sender, send } from './send';
import { signedHeaders } from './signature';

/**
 * Records at most four failed attempts at a time. Otherwise, hundreds of timeouts could occupy all connections to the
 * database.
 */
const FAILURES = createTurns(4);

/** What webhook delivery depends on. Tests can replace these dependencies. */
export type DeliveryDependencies = {
  sender: Sender;
  clock: Clock;
  random: () => number;
  /** Returns true if the process is shutting down and must not start more attempts. */
  draining: () => boolean;
};

/**
 * Returns the signed headers of an attempt. Returns null if it cannot be signed, because the endpoint has no valid
 * secret or its current secret cannot be decrypted.
 */
function headersOf({ applicationId, deliveryId, eventId, payload, attempt, startedAt: at, secrets }: Lease) {
  try {
    return signedHeaders({ eventId, payload, at, attempt }, signersOf(applicationId, secrets));
  } catch (error) {
    log().error({ err: error, application: applicationId, delivery: deliveryId }, 'an attempt could not be signed');
    return null;
  }
}

/**
 * Makes a leased attempt: signs it, sends it, and records its outcome. No transaction is open during the HTTP request.
 * If this process is killed, the delivery gets another attempt after the lease has expired.
 */
export async function deliver({ sender, clock, random }: DeliveryDependencies, lease: Lease): Promise<void> {
  const { payload, url } = lease;
  const headers = headersOf(lease);
  const startedAtMs = performance.now();
  const outcome = headers ? await send(sender, { url, headers, payload }) : failed('secret_unreadable');
  countAttempt(outcome.error, performance.now() - startedAtMs);
  const endedAt = clock();
  // Only a failed attempt waits for a turn. Failures of other applications therefore do not delay successful attempts.
  const endTurn = outcome.error === null ? () => {} : await FAILURES.take(lease.applicationId, lease.tenantId);
  try {
    await recordAttempt(endedAt, lease, outcome, random());
  } catch (error) {
    // The attempt remains without an outcome. The delivery gets another attempt after the lease has expired, even if
    // the receiver has accepted this attempt. A receiver may therefore get an event more than once.
    log().error({ err: error, delivery: lease.deliveryId }, 'the outcome of an attempt could not be recorded');
  } finally {
    endTurn();
  }
}
