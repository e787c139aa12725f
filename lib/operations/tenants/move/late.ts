import pg from 'pg';
import { RECOUNT } from '../import';
import type { Move } from './capture';
import { copyRows, type Ends } from './copy';
import type { MovedTable } from './tables';

/** Maximum milliseconds from the start of a request until its log entry is stored. */
const LATE = 600_000;

/**
 * Copies the log entries that the target lacks, because they were stored after `copiedAt`. The time of a log entry is
 * the start of its request, so these entries can have times up to `LATE` milliseconds before `copiedAt`.
 */
export async function copyLateEntries(ends: Ends, tables: MovedTable[], move: Move, copiedAt: Date): Promise<void> {
  const log = tables.find(({ name }) => name === 'request_log');
  if (!log) return;
  const { target } = ends;
  const columns = log.columns.map((column) => `"${column}"`).join(', ');
  const since = pg.escapeLiteral(new Date(copiedAt.getTime() - LATE).toISOString());
  await target.query(`
    BEGIN; CREATE TEMP TABLE late_entries ON COMMIT DROP AS SELECT ${columns} FROM request_log WITH NO DATA`);
  const late = `tenant_id = ${pg.escapeLiteral(move.tenant_id)} AND at >= ${since}`;
  const read = `COPY (SELECT ${columns} FROM request_log WHERE ${late}) TO STDOUT`;
  await copyRows(ends, [read, `COPY late_entries (${columns}) FROM STDIN`]);
  await target.query(
    `INSERT INTO request_log (${columns}) SELECT ${columns} FROM late_entries ON CONFLICT (request_id) DO NOTHING`,
  );
  await target.query('COMMIT');
}

/**
 * Makes the target count again the requests that began in the last two to three hours before the copy, or later. The
 * source may not have counted the tenant's requests of these hours.
 */
export async function recount(target: pg.Client, copiedAt: Date): Promise<void> {
  await target.query(RECOUNT, [copiedAt]);
}
