import { pool } from '@/lib/platform/db';
import { activeSql } from './active';
import { type DeliveryDependencies, deliver } from './deliver';
import { FREE, leaseOne } from './lease';

/** Deliveries that one sweep hands over again. */
const SWEEP = 1_000;

/** A delivery that Inngest was given. `handedAt` tells this hand-over from earlier ones. */
export type DispatchedDelivery = { deliveryId: string; applicationId: string; handedAt: Date };

// By endpoint, each on its own index, as in lease.ts; of many endpoints each gets its turn.
const chosenSql = (which: string) => `
  WITH chosen AS (
    SELECT due.id, due.place FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      CROSS JOIN LATERAL (
        SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM deliveries d
        WHERE d.application_id = e.application_id AND NOT d.test AND ${which}
        ORDER BY d.due_at, d.id LIMIT $2::int) AS due
      WHERE ${activeSql('e', 'a')}
    UNION ALL
    SELECT due.id, 0 FROM webhook_endpoints e CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d WHERE d.application_id = e.application_id AND d.test AND ${which}
      LIMIT $2::int) AS due),
  mine AS (
    SELECT d.id FROM deliveries d
    WHERE d.id IN (SELECT id FROM chosen ORDER BY place, id LIMIT $2::int) AND ${which}
    FOR UPDATE OF d SKIP LOCKED)`;

const TAKE = `${chosenSql(`${FREE} AND d.handed_at IS NULL`)}
  UPDATE deliveries d SET handed_at = $1 FROM mine WHERE d.id = mine.id
  RETURNING d.id AS "deliveryId", d.application_id AS "applicationId", d.handed_at AS "handedAt"`;

// An endpoint's deliveries may rightly wait for each other: while some are under way, the others have more time.
const RELEASE = `${chosenSql(`${FREE} AND d.due_at <= $1::timestamptz - interval '1 minute'
      AND d.handed_at <= $1::timestamptz - interval '1 minute'
      AND (d.handed_at <= $1::timestamptz - interval '15 minutes' OR NOT EXISTS (
        SELECT FROM deliveries l WHERE l.application_id = d.application_id AND l.leased_until > $1))`)}
  UPDATE deliveries d SET handed_at = NULL FROM mine WHERE d.id = mine.id`;

/**
 * Takes up to `limit` deliveries that are due, may be sent and that Inngest does not have, marks them as handed over
 * and returns them. Two processes never take the same one.
 */
export async function takeUndispatched(now: Date, limit: number): Promise<DispatchedDelivery[]> {
  const { rows } = await pool().query<DispatchedDelivery>({
    name: 'webhooks-take-unhanded',
    text: TAKE,
    values: [now, limit],
  });
  return rows;
}

/** Undoes a hand-over that Inngest did not hear of; what was handed over anew since then is left alone. */
export async function undoDispatch(handed: DispatchedDelivery[]): Promise<void> {
  await pool().query(
    `UPDATE deliveries d SET handed_at = NULL FROM unnest($1::text[], $2::timestamptz[]) AS given(id, handed_at)
     WHERE d.id = given.id AND d.handed_at = given.handed_at`,
    [handed.map(({ deliveryId }) => deliveryId), handed.map(({ handedAt }) => handedAt)],
  );
}

/**
 * Lets deliveries be handed over again that Inngest was given more than a minute ago, that are overdue by more than a
 * minute and of which no attempt is under way: it may have lost them. Returns how many, at most 1,000.
 */
export async function releaseOverdue(now: Date): Promise<number> {
  const { rowCount } = await pool().query({ name: 'webhooks-release', text: RELEASE, values: [now, SWEEP] });
  return rowCount ?? 0;
}

type State = { dueAt: Date | null; leasedUntil: Date | null; handedAt: Date | null; sends: boolean };

/**
 * Makes the attempt of a delivery that is due, if one is. Returns when to look at it again: when the next attempt is
 * due or the one under way must have ended; null when it is over, held, or was handed over anew: whoever was given it
 * last sees to it.
 */
export async function attemptDispatched(
  dependencies: DeliveryDependencies,
  handed: DispatchedDelivery,
): Promise<Date | null> {
  // Whatever is due is sent, also by whom it was not given last: with a long queue everybody would be late otherwise.
  const lease = await leaseOne(dependencies.clock(), handed.deliveryId);
  if (lease) await deliver(dependencies, lease);
  const { rows } = await pool().query<State>({
    name: 'webhooks-handed-state',
    text: `SELECT d.due_at AS "dueAt", d.leased_until AS "leasedUntil", d.handed_at AS "handedAt",
        d.test OR ${activeSql('e', 'a')} AS sends
      FROM deliveries d JOIN webhook_endpoints e ON e.application_id = d.application_id
      JOIN applications a ON a.id = d.application_id WHERE d.id = $1`,
    values: [handed.deliveryId],
  });
  const state = rows[0];
  if (!state?.dueAt || !state.sends || state.handedAt?.getTime() !== handed.handedAt.getTime()) return null;
  const { dueAt, leasedUntil } = state;
  return leasedUntil !== null && leasedUntil > dependencies.clock() ? leasedUntil : dueAt;
}
