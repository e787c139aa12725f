import { pool } from '@/lib/platform/db';
import { bind, join, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { ACTIVE } from './active';
import { LEASABLE, LEASE } from './lease';

/** Maximum number of deliveries that one call of `releaseOverdue` marks for a new dispatch. */
const SWEEP = 1_000;

/** A delivery that was dispatched to Inngest. The time `handedAt` distinguishes this dispatch from earlier ones. */
export type DispatchedDelivery = { deliveryId: string; applicationId: string; handedAt: Date };

/**
 * Returns the CTE `locked`, which locks up to `limit` deliveries that meet a condition. Test deliveries come first.
 * They are followed by the oldest delivery of each endpoint, then the second oldest, and so on. The deliveries of
 * failing endpoints come last, in the same order.
 */
const locked = <Values>(condition: Sql<Values>) => sql`
  WITH chosen AS (
    SELECT due.id, e.failing, due.place FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      CROSS JOIN LATERAL (
        SELECT d.id, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM deliveries d
        WHERE d.application_id = e.application_id AND NOT d.test AND ${condition}
        ORDER BY d.due_at, d.id LIMIT ${param.int('limit')}) AS due
      WHERE ${ACTIVE}
    UNION ALL
    SELECT due.id, false, 0 FROM webhook_endpoints e CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d WHERE d.application_id = e.application_id AND d.test AND ${condition}
      LIMIT ${param.int('limit')}) AS due),
  locked AS (
    SELECT d.id FROM deliveries d
    WHERE d.id IN (SELECT id FROM chosen ORDER BY failing, place, id LIMIT ${param.int('limit')}) AND ${condition}
    FOR UPDATE OF d SKIP LOCKED)`;

const TAKE = statement<DispatchedDelivery>('webhooks-take-undispatched')`
  ${locked(join([LEASABLE, sql`d.handed_at IS NULL`], ' AND '))}
  , taken AS (
    UPDATE deliveries d SET handed_at = ${param.timestamptz('now')} FROM locked WHERE d.id = locked.id RETURNING d.*)
  SELECT id AS "deliveryId", application_id AS "applicationId", handed_at AS "handedAt" FROM taken ORDER BY due_at, id`;

// Clears `handed_at` of deliveries that Inngest may have lost, so that they are dispatched again. A delivery counts as
// lost one minute after its dispatch if its endpoint got no attempt within the last minute. Otherwise, the delivery is
// probably waiting for earlier deliveries, and it counts as lost 15 minutes after its dispatch.
// A running attempt began at `leased_until` minus the length of the lease. The newest of the attempts that have ended
// began at `last_attempt_at`.
const RELEASE = statement<never>('webhooks-release-overdue')`
  ${locked(sql`${LEASABLE} AND d.due_at <= ${param.timestamptz('minuteAgo')} AND d.handed_at <= ${param.timestamptz('minuteAgo')}
    AND (d.handed_at <= ${param.timestamptz('quarterAgo')} OR NOT EXISTS (
      SELECT FROM deliveries l
      WHERE l.application_id = d.application_id AND l.leased_until > ${param.timestamptz('minuteAgoLease')}
      UNION ALL SELECT FROM webhook_endpoints b
      WHERE b.application_id = d.application_id AND b.last_attempt_at > ${param.timestamptz('minuteAgo')}))`)}
  UPDATE deliveries d SET handed_at = NULL FROM locked WHERE d.id = locked.id`;

const UNDO = statement<never>('webhooks-undo-dispatch')`
  UPDATE deliveries d SET handed_at = NULL
  FROM unnest(${param.texts('ids')}, ${param.texts('handedAt')}::timestamptz[]) AS given(id, handed_at)
  WHERE d.id = given.id AND d.handed_at = given.handed_at`;

const MINUTE = 60_000;

/**
 * Marks up to `limit` due deliveries as dispatched and returns them. Concurrent processes never get the same delivery.
 */
export async function takeUndispatched(now: Date, limit: number): Promise<DispatchedDelivery[]> {
  const { rows } = await pool().query<DispatchedDelivery>(bind(TAKE, { now, limit }));
  return rows;
}

/**
 * Marks the given deliveries as not dispatched, because they did not reach Inngest. Skips deliveries that have been
 * dispatched again in the meantime.
 */
export async function undoDispatch(deliveries: DispatchedDelivery[]): Promise<void> {
  const ids = deliveries.map(({ deliveryId }) => deliveryId);
  await pool().query(bind(UNDO, { ids, handedAt: deliveries.map(({ handedAt }) => handedAt.toISOString()) }));
}

/**
 * Releases up to 1,000 deliveries that Inngest may have lost, so that they are dispatched again (see `RELEASE`).
 * Returns the number of released deliveries.
 */
export async function releaseOverdue(now: Date): Promise<number> {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE);
  const minuteAgoLease = new Date(ago(1).getTime() + LEASE);
  const values = { now, limit: SWEEP, minuteAgo: ago(1), minuteAgoLease, quarterAgo: ago(15) };
  const { rowCount } = await pool().query(bind(RELEASE, values));
  return rowCount ?? 0;
}
