import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { TENANTS_LOCK } from '@/lib/platform/locks';
import { StartError } from '@/lib/platform/postgres/start-error';
import { describeCounts } from '../../backup/file';
import { checkRewrite, readDirectory, rewriteDirectory } from '../../cells/rewrite';
import type { LockWait } from '../../environment/lock-wait';
import { storedAccounts } from './accounts';
import { ARRIVAL, ARRIVAL_SETUP, applyChanges, findArrival } from './apply';
import { beginMove, endMove, findMove, forgetChanges, type Move, noteChanges } from './capture';
import { checkCells, checkListed } from './cell';
import { checkDeployments, checkState, refuseExisting, startsOf, stateOf } from './check';
import { copyTenant, type Ends } from './copy';
import { type Urls, withEnds } from './ends';
import { copyLateEntries, recount } from './late';
import { enterTarget, leaveSource } from './switch';
import { isCompared, type MovedTable, movedTables, rowsOf } from './tables';

/**
 * When a round of `catchUp` takes fewer milliseconds than this, few changes are left to copy. The tenant is then
 * switched to the other cell.
 */
const SMALL_ROUND = 200;
const MAX_ROUNDS = 20;
const MAX_SWITCHES = 20;

/**
 * Milliseconds to wait after the switch to the other cell before the last log entries are copied. Servers notice the
 * switch within a second. Before that, they can still accept a write, which takes at most eight seconds.
 */
const SETTLE = 12_000;

/** The steps of a move, in order. Tests interrupt a move at the end of each step. */
export const STEPS = ['noting', 'bulk', 'round', 'locked', 'copied', 'left', 'entered', 'directory', 'late'] as const;

/**
 * The parameters of a move. `directory` is the path of the cell directory. `to` is the id of the cell to which the
 * tenant moves.
 */
export type MoveOptions = Urls & { tenantId: string; directory: string; to: string };

export type Moving = LockWait & {
  signal: AbortSignal;
  /** Makes the proxy use the new directory. */
  reload?: () => Promise<void>;
  /** Runs `work` while no other command can change the cell directory. */
  exclusively?: (work: () => Promise<void>) => Promise<void>;
  settle?: number;
  /** Called at the end of each step. The move continues when the promise resolves. */
  onStep?: (step: (typeof STEPS)[number]) => Promise<void>;
};

/**
 * A finished move. `waited` is the time in milliseconds for which writes waited during the switch to the other cell. It
 * is null if an earlier run of the command had already switched. `rounds` is the number of rounds of `catchUp`.
 */
export type MoveResult = { name: string; waited: number | null; rounds: number };

/**
 * Moves a tenant to another cell while both cells serve requests. Writes of the tenant wait only during the switch. The
 * call can be interrupted at any time and repeated. The tenant is never active in both cells: the target makes the
 * tenant active only after the source has made it inactive.
 * @throws StartError if the tenant cannot be moved. The tenant then remains where it is, and the move can be repeated
 *   or aborted.
 */
export async function moveTenant(options: MoveOptions, moving: Moving): Promise<MoveResult> {
  const { tenantId, directory, to } = options;
  if (!(await readDirectory(directory)).cells.has(to)) throw new StartError(`The cell directory has no cell ${to}.`);
  return withEnds(options, moving, async (ends) => {
    const { source, target } = ends;
    const { own, warnings } = await checkCells(ends, to);
    await checkDeployments(ends, to);
    for (const warning of warnings) moving.say?.(warning);
    const here = await stateOf(source, tenantId);
    if (!here) throw new StartError('There is no tenant with this ID. To see the IDs, run npm run tenant -- list.');
    const found = await findMove(source);
    checkState(here, found, tenantId, to);
    const tables = await movedTables(source);
    const onStep = moving.onStep ?? (() => Promise.resolve());
    let move = found;
    let switched: { waited: number | null; rounds: number } = { waited: null, rounds: 0 };
    if (!here.elsewhere || !move) {
      await checkListed(directory, tenantId, own);
      // Check now that the cell directory can be written. After this cell has stopped serving the tenant, partners get
      // a 503 until the directory is written.
      await checkRewrite(directory, { tenantId, to, starts: await startsOf(source, tenantId) });
      if (!move || !(await findArrival(target, move))) await refuseExisting(target, { tenantId, name: here.name, to });
      move ??= await beginMove(source, tenantId, to);
      switched = await copyAndLeave(ends, tables, move, { ...moving, onStep });
      await onStep('left');
    }
    await enterTarget(target, move);
    await onStep('entered');
    const starts = await startsOf(target, tenantId);
    await (moving.exclusively ?? ((work) => work()))(async () => {
      await rewriteDirectory(directory, { tenantId, to, starts });
      await onStep('directory');
      await moving.reload?.();
    });
    await finish(ends, tables, move, { ...moving, onStep });
    return { name: here.name, ...switched };
  });
}

type Stepping = Moving & { onStep: NonNullable<Moving['onStep']> };

async function copyAndLeave(ends: Ends, tables: MovedTable[], move: Move, { say = () => {}, onStep }: Stepping) {
  await noteChanges(ends.source, tables, move.tenant_id);
  await onStep('noting');
  if (!(await findArrival(ends.target, move))) {
    say('Copying the tenant … This cell still serves the tenant.');
    say(`Copied ${describeCounts(await copyAll(ends, tables, move))}.`);
  }
  await onStep('bulk');
  for (let tries = 1, rounds = 0; tries <= MAX_SWITCHES; tries += 1) {
    rounds += await catchUp(ends, tables, move, onStep);
    const waited = await leaveSource(ends, tables, move, onStep);
    if (waited !== null) return { waited, rounds };
    say('Writes would have waited too long, so the switch was undone. Trying again …');
    await delay(1_000, undefined, { signal: ends.signal });
  }
  throw new StartError(
    'Writes would have waited too long in each of 20 tries. The tenant is served as before. Run the command again at a quieter time, or abort the move with --abort.',
  );
}

/** Reads all rows of the tenant in one transaction of the source, and writes them in one transaction of the target. */
async function copyAll(ends: Ends, tables: MovedTable[], move: Move) {
  const { source, target } = ends;
  const tenant = pg.escapeLiteral(move.tenant_id);
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await source.query<{ snapshot: string; at: Date }>(
    'SELECT pg_current_snapshot()::text AS snapshot, now() AS at',
  );
  await target.query(`BEGIN; ${TENANTS_LOCK}; ${ARRIVAL_SETUP}`);
  const { accounts, counts } = await copyTenant(ends, tables, move.tenant_id);
  const users = tables.find(({ name }) => name === 'users');
  const { rows: ids } = await source.query<{ id: string }>(
    `SELECT id FROM users WHERE ${users && rowsOf(users, tenant)}`,
  );
  const own = new Set(ids.flatMap(({ id }) => (accounts.kept.has(id) ? [] : [id])));
  await target.query('UPDATE tenants SET suspended_at = now(), elsewhere_since = now() WHERE id = $1', [
    move.tenant_id,
  ]);
  await target.query(`INSERT INTO ${ARRIVAL}.arrivals VALUES ($1, $2, $3, $4)`, [
    move.id,
    move.tenant_id,
    rows[0]?.at,
    JSON.stringify(storedAccounts({ ...accounts, own })),
  ]);
  await source.query('COMMIT');
  await target.query('COMMIT');
  await forgetChanges(source, rows[0]?.snapshot ?? '');
  await target.query('ANALYZE');
  return counts;
}

/**
 * Copies changes in rounds until a round takes less than `SMALL_ROUND` milliseconds, or until `MAX_ROUNDS` is reached.
 * Then runs two more rounds. The first of them also checks that both databases have the same number of rows. Returns
 * the number of rounds.
 */
async function catchUp(ends: Ends, tables: MovedTable[], move: Move, onStep: Stepping['onStep']): Promise<number> {
  for (let round = 1; ; round += 1) {
    ends.signal.throwIfAborted();
    const begun = performance.now();
    await copyRound(ends, tables, move);
    const small = performance.now() - begun < SMALL_ROUND;
    await onStep('round');
    if (!small && round < MAX_ROUNDS) continue;
    await copyRound(ends, tables, move, compareCounts);
    await copyRound(ends, tables, move);
    return round + 2;
  }
}

async function copyRound(ends: Ends, tables: MovedTable[], move: Move, check?: typeof compareCounts): Promise<void> {
  const { source, target } = ends;
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const { rows } = await source.query<{ snapshot: string }>('SELECT pg_current_snapshot()::text AS snapshot');
  await target.query('BEGIN');
  await applyChanges(ends, tables, move);
  await check?.(ends, tables, move);
  await target.query('COMMIT');
  await source.query('COMMIT');
  await forgetChanges(source, rows[0]?.snapshot ?? '');
}

/**
 * Compares how many rows of the tenant the two cells have in each table that must be equal (`isCompared`).
 * @throws StartError if the numbers of a table differ.
 */
async function compareCounts({ source, target }: Ends, tables: MovedTable[], { tenant_id }: Move): Promise<void> {
  for (const table of tables.filter(isCompared)) {
    const sql = `SELECT count(*)::int AS count FROM "${table.name}" WHERE ${rowsOf(table, pg.escapeLiteral(tenant_id))}`;
    const [here, there] = await Promise.all([source.query(sql), target.query(sql)]);
    if (here.rows[0].count !== there.rows[0].count)
      throw new StartError(
        `The copy differs: ${table.name} has ${here.rows[0].count} rows here and ${there.rows[0].count} in the other cell. The tenant is served as before. Run move with --abort.`,
      );
  }
}

/**
 * Copies the log entries that the source stored after the tenant was copied. Then removes the triggers and the records
 * of the move.
 */
async function finish(
  ends: Ends,
  tables: MovedTable[],
  move: Move,
  { settle = SETTLE, onStep, say = () => {} }: Stepping,
) {
  say(`The tenant is active in ${move.cell}. Waiting ${Math.ceil(settle / 1000)} s for the last log entries …`);
  await delay(settle, undefined, { signal: ends.signal });
  const arrival = await findArrival(ends.target, move);
  if (arrival) {
    await copyLateEntries(ends, tables, move, arrival.copiedAt);
    await recount(ends.target, arrival.copiedAt);
  }
  await onStep('late');
  // The source's record of the move is removed first. If the process stops after that, a repeated command responds that
  // the tenant was already moved (see `checkState`).
  await endMove(ends.source);
  await ends.target.query(`DELETE FROM ${ARRIVAL}.arrivals WHERE move_id = $1`, [move.id]);
}
