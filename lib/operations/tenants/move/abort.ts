import type pg from 'pg';
import { TENANTS_LOCK } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from '../../backup/format';
import type { LockWait } from '../../environment/lock-wait';
import { finishDeletion } from '../delete';
import { eraseRows } from '../erase';
import { ARRIVAL, findArrival } from './apply';
import { endMove, findMove, type Move, stopNoting } from './capture';
import { checkTargetCell } from './cell';
import { type State, stateOf } from './check';
import { type Urls, withEnds } from './ends';
import { returnToSource } from './switch';

/**
 * An aborted move. `suspended` states whether the tenant is suspended in the source. `deleted` is the number of rows
 * per table that were deleted from the target, or null if the target had no copy.
 */
export type Aborted = { name: string; cell: string; suspended: boolean; deleted: Counts | null };

/**
 * Ends a move that is not complete, and deletes its copy from the target. Afterward, the source serves the tenant as
 * before the move. The call can be interrupted at any time and repeated.
 * @throws StartError if there is no such move, or if the tenant is active in the target.
 */
export async function abortMove(
  options: Urls & { tenantId: string },
  moving: LockWait & { signal: AbortSignal },
): Promise<Aborted> {
  const { tenantId } = options;
  const { signal, say = () => {} } = moving;
  return withEnds(options, moving, async ({ source, target }) => {
    const move = await findMove(source);
    const here = await stateOf(source, tenantId);
    if (!here || move?.tenant_id !== tenantId) throw new StartError('No move of this tenant is in progress.');
    const known = await checkTargetCell(target, move.cell);
    const copied = await giveUpCopy(target, move, here, known);
    // The source serves the tenant again before the copy is deleted, because deleting the copy can take a long time.
    await returnToSource(source, move);
    await stopNoting(source);
    let deleted: Counts | null = null;
    if (copied) {
      say(`Deleting the copy in ${move.cell} …`);
      await eraseRows(target, tenantId, { say, signal, batch: undefined, onBatch: undefined });
      deleted = (await finishDeletion(target, tenantId)).rows;
      await target.query(`DELETE FROM ${ARRIVAL}.arrivals WHERE move_id = $1`, [move.id]);
    }
    await endMove(source);
    return { name: here.name, cell: move.cell, suspended: here.suspended && !here.elsewhere, deleted };
  });
}

// The record of a deletion lists the accounts that the deletion may delete. When the move is aborted, the target may
// delete only the accounts that the move copied.
const BEGIN = `
  INSERT INTO tenant_deletions (tenant_id, name, began_at, user_ids)
  SELECT id, name, deletion_began_at, $2 FROM tenants WHERE id = $1`;

/**
 * Records in the target that its copy of the tenant is being deleted, so that no process can make the tenant active
 * there. Returns whether there is a copy.
 * @param known whether the target has recorded to which cell it belongs.
 * @throws StartError if the tenant is active in the target, or if TARGET_DATABASE_URL can lead to a wrong database.
 */
async function giveUpCopy(target: pg.Client, move: Move, here: State, known: boolean): Promise<boolean> {
  await target.query('BEGIN');
  let arrival = await findArrival(target, move, 'FOR UPDATE');
  if (!arrival) {
    // If a move was killed while it committed the copy, its transaction can still be open and hold this lock. Wait for
    // the end of that transaction, and then look for the copy again.
    await target.query(TENANTS_LOCK);
    arrival = await findArrival(target, move, 'FOR UPDATE');
  }
  // If the source no longer serves the tenant (`here.elsewhere`), the target must have a copy. If the database of
  // TARGET_DATABASE_URL has none, it may be a wrong database, and the tenant may be active in the real target.
  if (!arrival && here.elsewhere && !known)
    throw new StartError(
      `The database of TARGET_DATABASE_URL has no copy of ${here.name}, and no server with CELL=${move.cell} has used it. Set TARGET_DATABASE_URL to a URL of the database of ${move.cell}.`,
    );
  const there = await stateOf(target, move.tenant_id);
  if (arrival && there && !there.elsewhere)
    throw new StartError(
      `${here.name} is active in ${move.cell}. Run move again to finish. Then move the tenant back from ${move.cell}.`,
    );
  if (arrival && there && !there.deleting) {
    await target.query('UPDATE tenants SET deletion_began_at = now() WHERE id = $1', [move.tenant_id]);
    await target.query(BEGIN, [move.tenant_id, [...arrival.accounts.own]]);
  }
  await target.query('COMMIT');
  return arrival !== null;
}
