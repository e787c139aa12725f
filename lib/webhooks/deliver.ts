import { countAttempt } from '@/lib/activity/metrics/counters';
import type { Clock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import { createTurns } from '@/lib/platform/turns';
import type { Lease } from './lease';
import { recordAttempt } from './record-attempt';
import { type Sender, send } from './send';
import { signedHeaders } from './signature';

/**
 * At most four failures are recorded at the same time. If hundreds of attempts time out together, the recording of
 * their outcomes must not occupy all database connections.
 */
const FAILURES = createTurns(4);

/** The dependencies of webhook delivery, which tests can replace. */
export type DeliveryDependencies = {
  sender: Sender;
  clock: Clock;
  random: () => number;
  /** Whether this process is shutting down and must start no further attempts. */
  draining: () => boolean;
};

/**
 * Makes a leased attempt: signs it, sends it, and records its outcome. No transaction is open during the HTTP request.
 * If this process dies, the lease expires, and the delivery gets another attempt.
 */
export async function deliver({ sender, clock, random }: DeliveryDependencies, lease: Lease): Promise<void> {
  const { eventId, payload, attempt, startedAt, secrets, url } = lease;
  const headers = signedHeaders({ eventId, payload, at: startedAt, attempt }, secrets);
  const startedAtMs = performance.now();
  const outcome = await send(sender, { url, headers, payload });
  countAttempt(outcome.error, performance.now() - startedAtMs);
  const endedAt = clock();
  // A success is recorded without waiting for a turn, so that the next attempt for a healthy endpoint does not wait
  // until the failures of other endpoints are recorded.
  const endTurn = outcome.error === null ? () => {} : await FAILURES.take(lease.applicationId);
  try {
    await recordAttempt(endedAt, lease, outcome, random());
  } catch (error) {
    // The attempt stays without an outcome. After its lease has expired, the delivery gets another attempt, even if the
    // receiver has accepted this one. The receiver may therefore get the same event more than once.
    log().error({ err: error, delivery: lease.deliveryId }, 'the outcome of an attempt could not be recorded');
  } finally {
    endTurn();
  }
}
