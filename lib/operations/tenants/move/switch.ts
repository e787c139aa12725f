import type pg from 'pg';
import { CHANNEL } from '@/lib/platform/cache/listener';
import { newId } from '@/lib/platform/ids';
import { exclusiveTenantLock } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { applyChanges, copyIsGone, findArrival } from './apply';
import type { Move } from './capture';
import { stateOf } from './check';
import type { Ends } from './copy';
import type { MovedTable } from './tables';

/** Maximum milliseconds for which the switch waits for running writes. During this wait, later writes wait too. */
const LOCK_WAIT = 300;
/**
 * Maximum milliseconds for which writes wait during the switch. If the switch takes longer, it is undone. If the switch
 * succeeds, the source refuses the waiting writes with a 503, whose Retry-After is one second. A partner that repeats
 * the write after this second has waited less than two seconds in total.
 */
const LONGEST = 700;

/** SQLSTATEs lock_not_available, deadlock_detected, and query_canceled. */
const RETRYABLE = new Set(['55P03', '40P01', '57014']);

/** Makes every server of a cell drop the tenant's cached policies and catalog when the transaction commits. */
const NOTIFY = `
  WITH records AS (
    SELECT 'policy' AS topic, id FROM applications WHERE tenant_id = $1 UNION ALL SELECT 'catalog', $1),
  changed AS (
    INSERT INTO cache_versions (topic, id, version) SELECT topic, id, gen_random_uuid() FROM records ORDER BY topic, id
    ON CONFLICT (topic, id) DO UPDATE SET version = EXCLUDED.version)
  SELECT pg_notify('${CHANNEL}', topic || ' ' || id) FROM records`;

// The source cell has dispatched these deliveries to its own Inngest. The target cell must dispatch them again.
const DISPATCH = `
  UPDATE deliveries SET handed_at = NULL WHERE tenant_id = $1 AND finished_at IS NULL AND handed_at IS NOT NULL`;

const AUDIT = `
  INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
  VALUES ($2, clock_timestamp(), $1, 'operator', 'tenant.moved', 'tenant', $1, jsonb_build_object('cell', $3::text))`;

/**
 * Makes the tenant's writes wait, copies its last changes to the target, and then makes the source refuse all its
 * requests. If an error or a crash occurs before the source commits, the tenant remains active in the source.
 * @returns the milliseconds for which writes waited, or null if the switch was undone because of a timeout or deadlock.
 * @throws StartError if the tenant was suspended during the move.
 */
export async function leaveSource(
  ends: Ends,
  tables: MovedTable[],
  move: Move,
  onStep: (step: 'locked' | 'copied') => Promise<void>,
): Promise<number | null> {
  const { source, target } = ends;
  const begun = performance.now();
  try {
    await source.query(
      `BEGIN; SET LOCAL lock_timeout = ${LOCK_WAIT}; SET LOCAL statement_timeout = ${LONGEST}; ${exclusiveTenantLock(move.tenant_id)}`,
    );
    await onStep('locked');
    await target.query(`BEGIN; SET LOCAL statement_timeout = ${LONGEST}`);
    await applyChanges(ends, tables, move);
    await target.query('COMMIT');
    await onStep('copied');
    const { rowCount } = await source.query(
      `UPDATE tenants SET suspended_at = now(), elsewhere_since = now() WHERE id = $1 AND suspended_at IS NULL`,
      [move.tenant_id],
    );
    if (!rowCount)
      throw new StartError('The tenant was suspended during the move. Resume the tenant, and run move again.');
    await source.query(NOTIFY, [move.tenant_id]);
    if (performance.now() - begun > LONGEST) throw Object.assign(new Error('too late'), { code: '57014' });
    await source.query('COMMIT');
    return performance.now() - begun;
  } catch (error) {
    await rollBack(source);
    await rollBack(target);
    if (error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))) return null;
    throw error;
  }
}

async function rollBack(client: pg.Client): Promise<void> {
  // If the connection is closed, PostgreSQL has already rolled back.
  await client.query('ROLLBACK').catch(() => undefined);
}

/**
 * Makes the tenant active in the target. Does nothing if it is already active there.
 * @throws StartError if the target lacks the copy that this move made, for example because the move was aborted.
 */
export async function enterTarget(target: pg.Client, move: Move): Promise<void> {
  await target.query('BEGIN');
  const arrival = await findArrival(target, move, 'FOR UPDATE');
  const there = await stateOf(target, move.tenant_id);
  if (!arrival || !there || (there.elsewhere && there.deleting)) throw copyIsGone();
  const { rowCount } = await target.query(
    `UPDATE tenants SET suspended_at = NULL, elsewhere_since = NULL WHERE id = $1 AND elsewhere_since IS NOT NULL`,
    [move.tenant_id],
  );
  if (rowCount) {
    await target.query(DISPATCH, [move.tenant_id]);
    await target.query(AUDIT, [move.tenant_id, newId('aud'), move.cell]);
    await target.query(NOTIFY, [move.tenant_id]);
  }
  await target.query('COMMIT');
}

/** Makes the tenant active again in the source cell. */
export async function returnToSource(source: pg.Client, { tenant_id: id }: Move): Promise<void> {
  await source.query('BEGIN');
  await source.query(
    'UPDATE tenants SET suspended_at = NULL, elsewhere_since = NULL WHERE id = $1 AND elsewhere_since IS NOT NULL',
    [id],
  );
  await source.query(NOTIFY, [id]);
  await source.query('COMMIT');
}
