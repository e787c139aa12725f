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
 * Milliseconds between two checks whether an attempt can start. An attempt must wait if other runs of the Inngest
 * function are already making as many attempts as the endpoint may receive at a time.
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
 * Makes attempts for an application, as part of a run of the Inngest function. Takes the oldest due deliveries, even
 * if other runs were started for them. So the order of attempts does not depend on the order in which Inngest starts
 * runs. Stops when none of the given deliveries is due, `MAX_ATTEMPTS` were made, `MAX_TIME` has passed, the process
 * shuts down, or the run must wait for attempts of a failing endpoint.
 * @param deliveries the deliveries for which the run was started. All belong to the application.
 * @returns the time from which the run must call this function again. Null if the run must end, because each of its
 *   deliveries is finished, held, or dispatched again to a newer run.
 */
export async function attemptDispatched(
  dependencies: DeliveryDependencies,
  applicationId: string,
  deliveries: readonly DispatchedDelivery[],
): Promise<Date | null> {
  const deadline = performance.now() + MAX_TIME;
  for (let made = 0; ; ) {
    // Makes attempts even if the given deliveries have been dispatched again to a newer run. While Inngest's queue is
    // long, this has happened to the deliveries of every run. No attempts would be made if such runs ended at once.
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

/** Returns the states of the given deliveries. Omits deliveries that are finished, held, or dispatched again. */
async function statesOf(now: Date, deliveries: readonly DispatchedDelivery[]): Promise<State[]> {
  const handed = new Map(deliveries.map(({ deliveryId, handedAt }) => [deliveryId, handedAt.getTime()]));
  const { rows } = await pool().query<State>(bind(STATES, { now, ids: [...handed.keys()] }));
  return rows.filter(({ deliveryId, handedAt }) => handedAt?.getTime() === handed.get(deliveryId));
}
