import { CELL_OF_KEY, START_OF_KEY } from '@/lib/platform/cell-id';
import type { Cell, Directory } from './directory';

const CREDENTIAL = new RegExp(`^bearer +${CELL_OF_KEY}$`, 'i');
const START_WITH_CELL = /^pbk_(?:test|live)_(?<cell>[0-9a-z]{4})/;
const START = new RegExp(`^bearer +${START_OF_KEY}$`, 'i');

/**
 * Returns the cell that serves a request of a partner. If the directory lists the start of the request's key, returns
 * the listed cell. Otherwise, returns the cell whose id is in the key. If there is no such cell or no key, returns the
 * home cell, which refuses invalid keys.
 * @param authorization the value of the header, or null if there is none
 */
export function cellOfRequest({ cells, home, keys }: Directory, authorization: string | null): Cell {
  const text = authorization ?? '';
  const moved = keys.size > 0 && keys.get(START.exec(text)?.groups?.start?.toLowerCase() ?? '');
  if (moved) return moved;
  const id = CREDENTIAL.exec(text)?.groups?.cell;
  return (id && cells.get(id.toLowerCase())) || home;
}

/** Returns the cell that serves requests whose key begins with `start` (see `startOfKey`). */
export function cellOfStart({ cells, home, keys }: Directory, start: string): Cell {
  const id = START_WITH_CELL.exec(start)?.groups?.cell;
  return keys.get(start.toLowerCase()) ?? cells.get(id ?? '') ?? home;
}

/** Returns the cell whose origin serves the pages of a tenant's owners, or null for an unknown tenant. */
export function cellOfTenant({ tenants }: Directory, tenantId: string): Cell | null {
  return tenants.get(tenantId) ?? null;
}
