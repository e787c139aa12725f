import { setTimeout as delay } from 'node:timers/promises';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { ACTIVE } from './active';
import { type DeliveryDependencies, deliver } from './deliver';
import type { DispatchedDelivery } from './dispatch';
import { leaseOldest } from './lease';

/** Maximum number of attempts that one call of `attemptDispatched` makes. */
const MAX_ATTEMPTS = 100;
/** Milliseconds after which `attemptDispatched` starts no further attempt. */
const MAX_TIME = 10_000;
/**
 * Milliseconds between two checks whether an attempt can start. An attempt must wait while other runs of the Inngest
 * function are making the endpoint's maximum number of concurrent attempts.
 */
const PAUSE = 250;

type State = {
  deliveryId: string;
  dueAt: Date;
  leasedUntil: Date | null;
  handedAt: Date | null;
  failing: boolean;
  /**
   * The earliest time at which the lease of a running attempt for the endpoint expires. Null if no attempt is running.
   */
  busyUntil: Date | null;
};

const STATES = statement<State>('webhooks-dispatched-states')`
  SELECT d.id AS "deliveryId", d.due_at AS "dueAt", d.leased_until AS "leasedUntil", d.handed_at AS "handedAt", e.failing,
    (SELECT min(l.leased_until) FROM deliveries l
      WHERE l.application_id = d.application_id AND l.leased_until > ${param.timestamptz('now')}) AS "busyUntil"
  FROM deliveries d JOIN webhook_endpoints e ON e.application_id = d.application_id
  JOIN applications a ON a.id = d.application_id
  WHERE d.id = ANY (${param.texts('ids')}) AND d.due_at IS NOT NULL AND (d.test OR ${ACTIVE})`;

/**
 * Makes attempts for an application, oldest due delivery first. Stops when none of the given deliveries is due,
 * `MAX_ATTEMPTS` were made, `MAX_TIME` has passed, or the process shuts down. Each run of the Inngest function calls
 * this function. Inngest may start its runs in any order. But each run takes the oldest due delivery, so the order of
 * attempts does not depend on Inngest.
 * @param deliveries deliveries of one application.
 * @returns the time at which the run must call this function again. At this time, the lease of a running attempt
 *   expires or the next attempt is due. Null if the run must end, because each of its deliveries is finished, held, or
 *   dispatched again to a newer run.
 */
export async function attemptDispatched(
  dependencies: DeliveryDependencies,
  applicationId: string,
  deliveries: readonly DispatchedDelivery[],
): Promise<Date | null> {
  const deadline = performance.now() + MAX_TIME;
  for (let made = 0; ; ) {
    // Attempts are made even if the given deliveries have been dispatched again. Otherwise, with a long queue at
    // Inngest, each run would end because of a newer dispatch, and no run would make an attempt.
    const leases = await leaseOldest(dependencies.clock(), applicationId, MAX_ATTEMPTS - made);
    await Promise.all(leases.map((lease) => deliver(dependencies, lease)));
    made += leases.length;
    const now = dependencies.clock();
    const states = await statesOf(now, deliveries);
    const next = Math.min(
      ...states.map(({ dueAt, leasedUntil }) => Math.max(dueAt.getTime(), leasedUntil?.getTime() ?? 0)),
    );
    const [first] = states;
    if (!first) return null;
    const ends = made >= MAX_ATTEMPTS || performance.now() >= deadline || dependencies.draining();
    if (ends || next > now.getTime()) return new Date(next);
    if (leases.length > 0) continue;
    // Other runs are making the maximum number of concurrent attempts for the endpoint. Attempts of a failing endpoint
    // can take a long time, so this run sleeps. A sleeping run does not count toward the concurrency limit of Inngest.
    if (first.failing && first.busyUntil) return first.busyUntil;
    await delay(PAUSE);
  }
}

/** Returns the states of the deliveries that are neither finished, held, nor dispatched again. */
async function statesOf(now: Date, deliveries: readonly DispatchedDelivery[]): Promise<State[]> {
  const handed = new Map(deliveries.map(({ deliveryId, handedAt }) => [deliveryId, handedAt.getTime()]));
  const { rows } = await pool().query<State>(bind(STATES, { now, ids: [...handed.keys()] }));
  return rows.filter(({ deliveryId, handedAt }) => handedAt?.getTime() === handed.get(deliveryId));
}
