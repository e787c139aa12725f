import { createHmac, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Policy } from '@/lib/access/applications/policy';
import { invalidField } from '@/lib/contract/errors/app-error';
import type { Operation } from '@/lib/contract/operations';
import { secretFor } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** Cursors are far shorter; longer ones are not worth a hash. */
const MAX_LENGTH = 400;
const MAC_LENGTH = 22;
/** Cursors that are remembered once written; one is about 200 bytes. */
const MAX_WRITTEN = 5_000;

/** What a cursor is bound to (contract B5): it is worth nothing elsewhere. `limit` is not part of it. */
type CursorScope = { applicationId: string; operation: string; filters: readonly (string | null)[] };

/** Returns what the cursors of one query are bound to. */
export function cursorScope(policy: Policy, operation: Operation, filters: CursorScope['filters']): CursorScope {
  return { applicationId: policy.applicationId, operation: operation.id, filters };
}

// A partner that reads the same page again gets the same cursor: its hash costs as much as finding the page.
function written(): LRUCache<string, string> {
  return singleton('partner-api:cursor', () => new LRUCache<string, string>({ max: MAX_WRITTEN }));
}

function boundTo(scope: CursorScope, position: string): string {
  return JSON.stringify([scope.applicationId, scope.operation, scope.filters, position]);
}

function mac(bound: string): string {
  return createHmac('sha256', secretFor('cursor')).update(bound).digest('base64url').slice(0, MAC_LENGTH);
}

/** Returns an opaque, authenticated cursor for a position of a query (contract A, Paging). */
export function writeCursor(scope: CursorScope, position: string): string {
  const bound = boundTo(scope, position);
  const known = written().get(bound);
  if (known) return known;
  const cursor = mac(bound) + Buffer.from(position).toString('base64url');
  written().set(bound, cursor);
  return cursor;
}

/**
 * Returns the position that a cursor stands for. It survives a restart and works on another instance.
 * @throws AppError invalid_request `cursor_mismatch` for every cursor that this query did not produce (contract B3).
 */
export function readCursor(scope: CursorScope, cursor: string): string {
  const refused = () => invalidField('cursor', 'must be the next_cursor of the same query', 'cursor_mismatch');
  if (cursor.length <= MAC_LENGTH || cursor.length > MAX_LENGTH) throw refused();
  const given = Buffer.from(cursor.slice(0, MAC_LENGTH));
  const position = Buffer.from(cursor.slice(MAC_LENGTH), 'base64url').toString();
  const expected = Buffer.from(mac(boundTo(scope, position)));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw refused();
  // base64url ignores stray characters: only the spelling we wrote is ours.
  if (writeCursor(scope, position) !== cursor) throw refused();
  return position;
}
