import { countAttempt } from '@/lib/activity/metrics/counters';
import type { Clock } from '@/lib/platform/clock';
import { log } from '@/lib/platform/log';
import type { Lease } from './lease';
import { recordAttempt } from './record-attempt';
import { type Sender, send } from './send';
import { signedHeaders } from './signature';

/** What deliveries need of their surroundings. */
export type DeliveryDependencies = { sender: Sender; clock: Clock; random: () => number };

/**
 * Makes an attempt that was begun: signs, sends, records. No transaction spans the request; if this process ends
 * meanwhile, the lease does too, and the delivery is made again.
 */
export async function deliver({ sender, clock, random }: DeliveryDependencies, lease: Lease): Promise<void> {
  const { eventId, payload, attempt, startedAt, secrets, url } = lease;
  const headers = signedHeaders({ eventId, payload, at: startedAt, attempt }, secrets);
  const begun = performance.now();
  const outcome = await send(sender, { url, headers, payload });
  countAttempt(outcome.error, performance.now() - begun);
  try {
    await recordAttempt(clock(), lease, outcome, random());
  } catch (error) {
    // The lease ends by itself, and the attempt is made again: at least once, never none.
    log().error({ err: error, delivery: lease.deliveryId }, 'the end of an attempt could not be recorded');
  }
}
