import { CELL_OF_KEY } from '@/lib/platform/cell-id';
import type { Cell, Directory } from './directory';

const CREDENTIAL = new RegExp(`^bearer +${CELL_OF_KEY}$`, 'i');

/**
 * Returns the cell that serves a request of a partner. The cell id in the key decides, so no look-up of the key is
 * needed. Keys without a cell id, and everything that is not a key, belong to the home cell, which refuses what is not
 * valid.
 * @param authorization the value of the header, or null if there is none
 */
export function cellOfRequest({ cells, home }: Directory, authorization: string | null): Cell {
  const id = CREDENTIAL.exec(authorization ?? '')?.groups?.cell;
  return (id && cells.get(id.toLowerCase())) || home;
}

/** Returns the cell of a tenant, whose origin serves the pages of its owners, or null for an unknown tenant. */
export function cellOfTenant({ tenants }: Directory, tenantId: string): Cell | null {
  return tenants.get(tenantId) ?? null;
}
