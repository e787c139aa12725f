import type pg from 'pg';
import { StartError } from '@/lib/platform/postgres/start-error';
import { readDirectory } from '../../cells/rewrite';
import { findClaim } from '../../environment/claim';
import type { Ends } from './copy';

/** Returns the id of the cell to which a database belongs, or null if the database does not state a cell. */
async function recordedCell(client: pg.Client): Promise<string | null> {
  return (await findClaim(client))?.cell ?? null;
}

/**
 * Checks that the target database belongs to the cell `to`. Returns false if the database states no cell, because it
 * can then belong to any.
 * @throws StartError if the database belongs to another cell.
 */
export async function checkTargetCell(target: pg.Client, to: string): Promise<boolean> {
  const recorded = await recordedCell(target);
  if (recorded !== null && recorded !== to)
    throw new StartError(
      `TARGET_DATABASE_URL leads to the database of the cell ${recorded}, not of ${to}. Set it to a URL of the database of ${to}.`,
    );
  return recorded !== null;
}

/**
 * Checks that the source does not belong to the cell `to`, and that the target does not belong to another cell. Returns
 * the cell of the source, and a warning for each of the two databases that states no cell.
 * @throws StartError that states which cell is wrong.
 */
export async function checkCells(
  { source, target }: Pick<Ends, 'source' | 'target'>,
  to: string,
): Promise<{ own: string | null; warnings: string[] }> {
  const own = await recordedCell(source);
  if (own === to) throw new StartError(`${to} is this cell. --to must be another cell.`);
  const known = await checkTargetCell(target, to);
  const warnings = [
    ...(own === null
      ? ['Warning: CELL is not set, so the move command cannot check that the directory lists this cell.']
      : []),
    ...(known
      ? []
      : [
          `Warning: no server with CELL=${to} has used the database of TARGET_DATABASE_URL, so the move command cannot check that it belongs to ${to}.`,
        ]),
  ];
  return { own, warnings };
}

/**
 * Refuses a tenant that the directory lists in another cell than the source. Does nothing if the directory does not
 * list the tenant.
 * @param own the recorded cell of the source.
 * @throws StartError that states both cells.
 */
export async function checkListed(path: string, tenantId: string, own: string | null): Promise<void> {
  const listed = (await readDirectory(path)).tenants.get(tenantId)?.id;
  if (own === null || listed === undefined || listed === own) return;
  throw new StartError(
    `The cell directory lists the tenant in ${listed}, but the database of this cell belongs to ${own}. Run move with the settings of ${listed}, or correct the tenant’s cell in the directory.`,
  );
}
