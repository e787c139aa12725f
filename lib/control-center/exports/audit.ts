import { type AuditFilter, type AuditLine, listAudit } from '../audit/list';
import type { Column } from './csv';

/** Number of rows that each query reads. */
const PAGE = 500;

/** The columns of exported changes. */
export const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  ['id', (line) => line.id],
  ['time_utc', (line) => line.at.toISOString()],
  ['actor_kind', (line) => line.actor_kind],
  ['actor_id', (line) => line.actor_id],
  ['actor', (line) => line.actor_name],
  ['action', (line) => line.action],
  ['object_kind', (line) => line.object_kind],
  ['object_id', (line) => line.object_id],
  ['object', (line) => line.object_name],
  ['before', (line) => jsonOf(line.before)],
  ['after', (line) => jsonOf(line.after)],
];

function jsonOf(state: AuditLine['before']): string | null {
  return state === null ? null : JSON.stringify(state);
}

/** Returns all changes that match a filter, page by page, newest first. */
export async function* auditPages(filter: AuditFilter): AsyncGenerator<readonly AuditLine[]> {
  let cursor: string | null = null;
  do {
    const found = await listAudit(filter, { cursor, back: false }, PAGE);
    yield found.lines;
    cursor = found.next;
  } while (cursor !== null);
}
