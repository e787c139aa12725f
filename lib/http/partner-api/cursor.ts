import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Policy } from '@/lib/access/applications/policy';
import { invalidBecause } from '@/lib/contract/errors/app-error';
import type { Operation } from '@/lib/contract/operations';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';

/** Characters. A longer cursor is rejected before its hash is computed. */
const MAX_LENGTH = 400;
const MAC_LENGTH = 22;

/** The query for which a cursor is valid (contract B5). A client may change `limit`. */
export type CursorScope = { applicationId: string; operation: string; filters: readonly (string | null)[] };

/** Returns the `CursorScope` of a query. */
export function cursorScope(policy: Policy, operation: Operation, filters: CursorScope['filters']): CursorScope {
  return { applicationId: policy.applicationId, operation: operation.id, filters };
}

function boundTo(scope: CursorScope, position: string): string {
  return JSON.stringify([scope.applicationId, scope.operation, scope.filters, position]);
}

function mac(bound: string, key: Buffer): string {
  return createHmac('sha256', key).update(bound).digest('base64url').slice(0, MAC_LENGTH);
}

/** Returns an opaque, authenticated cursor for a position (contract A, Paging). */
export function writeCursor(scope: CursorScope, position: string): string {
  return mac(boundTo(scope, position), tokenKeyFor('cursor')) + Buffer.from(position).toString('base64url');
}

/**
 * Returns the position of a cursor. Cursors are valid after a restart, and on all instances.
 * @throws AppError invalid_request (reason `cursor_mismatch`) if it does not belong to this query (contract B3).
 */
export function readCursor(scope: CursorScope, cursor: string): string {
  const refused = () => invalidBecause('cursor_mismatch');
  if (cursor.length <= MAC_LENGTH || cursor.length > MAX_LENGTH) throw refused();
  const given = Buffer.from(cursor.slice(0, MAC_LENGTH));
  const position = Buffer.from(cursor.slice(MAC_LENGTH), 'base64url').toString();
  // The decoder ignores invalid characters, so several strings decode to the same position. Only the canonical string
  // of a position is accepted.
  if (Buffer.from(position).toString('base64url') !== cursor.slice(MAC_LENGTH)) throw refused();
  const bound = boundTo(scope, position);
  const matches = (key: Buffer) => {
    const expected = Buffer.from(mac(bound, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!acceptedTokenKeys('cursor').some(matches)) throw refused();
  return position;
}
