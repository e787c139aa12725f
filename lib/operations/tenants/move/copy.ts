import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';
import type { Counts } from '../../backup/format';
import { copyFrom, copyTo } from '../../backup/format';
import { type Accounts, isAccountTable, loadAccountRows, replaceIds } from '../accounts';
import { type MovedTable, rowsOf } from './tables';

/** The two databases of a move, and the signal that stops it. */
export type Ends = { source: pg.Client; target: pg.Client; signal: AbortSignal };

const NEWLINE = 10;

/** Yields the chunks of a COPY as blocks of whole lines. */
async function* wholeLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > 0) yield Buffer.concat([...rest, chunk.subarray(0, end)]);
    rest = end > 0 ? [chunk.subarray(end)] : [...rest, chunk];
  }
  if (rest.some(({ length }) => length > 0)) yield Buffer.concat(rest);
}

/**
 * Sends the output of the COPY statement `read` in the source to the COPY statement `write` in the target. Returns the
 * number of rows.
 */
export async function copyRows(
  { source, target, signal }: Ends,
  [read, write]: readonly [string, string],
  change: (blocks: AsyncIterable<Buffer>) => AsyncIterable<Buffer> = (blocks) => blocks,
): Promise<number> {
  const rows = source.query(to(read));
  const into = target.query(from(write));
  await pipeline(Readable.from(change(wholeLines(rows))), into, { signal });
  return into.rowCount;
}

/**
 * Copies all rows of a tenant. Both connections must be in a transaction. Returns which of the tenant's accounts the
 * target already had, and the number of rows per table.
 */
export async function copyTenant(
  ends: Ends,
  tables: MovedTable[],
  tenantId: string,
): Promise<{ accounts: Accounts; counts: Counts }> {
  const accounts: Accounts = { kept: new Set(), ids: new Map() };
  const counts: Counts = {};
  for (const table of tables) {
    const read = copyTo(table, rowsOf(table, pg.escapeLiteral(tenantId)));
    if (isAccountTable(table.name)) {
      const rows = wholeLines(ends.source.query(to(read)));
      counts[table.name] = await loadAccountRows(ends.target, table, rows, { tenantId, accounts });
    } else {
      counts[table.name] = await copyRows(ends, [read, copyFrom(table)], (blocks) => replaceIds(blocks, accounts));
    }
  }
  return { accounts, counts };
}
