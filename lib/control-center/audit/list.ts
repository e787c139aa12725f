import { pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { parseKeyset } from '@/lib/platform/text/keyset';

/** Lines of one page. */
const PAGE_SIZE = 50;

/** People and kinds that one answer holds. */
const MAX_CHOICES = 500;

/** What stands for the system where a person is asked for. */
export const SYSTEM = 'system';

/** What the audit log of a tenant is narrowed to. Null means any. */
export type AuditFilter = {
  tenantId: string;
  /** Id of a user, or `system`. */
  person: string | null;
  kind: string | null;
  objectId: string | null;
  from: Date | null;
  to: Date | null;
};

/** One change: who, what, when, before and after. */
export type AuditLine = {
  id: string;
  at: Date;
  action: string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  object_kind: string;
  object_id: string;
  object_name: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

/** A page of changes, with where the neighbouring pages begin. */
export type AuditPage = { lines: AuditLine[]; previous: string | null; next: string | null };

type Page = { cursor: string | null; back: boolean };

// What a line speaks of may be gone: then its id stands for it.
const NAMES = `
  LEFT JOIN tenants t ON t.id = g.tenant_id
  LEFT JOIN users w ON w.id = g.actor_id
  LEFT JOIN applications a ON a.id = g.object_id AND a.tenant_id = g.tenant_id
  LEFT JOIN api_keys k ON k.id = g.object_id
  LEFT JOIN users u ON u.id = g.object_id
  LEFT JOIN services s ON s.id = g.object_id AND s.tenant_id = g.tenant_id
  LEFT JOIN locations l ON l.id = g.object_id AND l.tenant_id = g.tenant_id
  LEFT JOIN specialists p ON p.id = g.object_id AND p.tenant_id = g.tenant_id`;

/**
 * Returns one page of a tenant's audit log, newest first. It goes on from a (time, id), never from an offset; a person
 * and an object have an index each.
 * @throws AppError invalid_request for a cursor that is none.
 */
export async function listAudit(filter: AuditFilter, page: Page): Promise<AuditPage> {
  const { rows } = await pool().query<AuditLine>(auditSql(filter, page));
  const more = rows.length > PAGE_SIZE;
  const lines = rows.slice(0, PAGE_SIZE);
  if (page.back) lines.reverse();
  const [first, last] = [lines[0], lines.at(-1)];
  const hasPrevious = page.back ? more : page.cursor !== null;
  const hasNext = page.back || more;
  return {
    lines,
    previous: hasPrevious && first ? cursorOf(first) : null,
    next: hasNext && last ? cursorOf(last) : null,
  };
}

function auditSql(filter: AuditFilter, { cursor, back }: Page): { text: string; values: unknown[] } {
  const values: unknown[] = [filter.tenantId];
  const parts = ['tenant_id = $1'];
  const place = (value: unknown) => `$${values.push(value)}`;
  if (filter.person === SYSTEM) parts.push(`actor_kind = 'system'`);
  else if (filter.person !== null) parts.push(`actor_id = ${place(filter.person)}`);
  if (filter.kind !== null) parts.push(`object_kind = ${place(filter.kind)}`);
  if (filter.objectId !== null) parts.push(`object_id = ${place(filter.objectId)}`);
  if (filter.from !== null) parts.push(`at >= ${place(filter.from)}`);
  if (filter.to !== null) parts.push(`at < ${place(filter.to)}`);
  const [direction, after] = back ? ['ASC', '>'] : ['DESC', '<'];
  if (cursor !== null) {
    const { at, id } = parseKeyset(cursor, (one) => isId('aud', one));
    const moment = `${place(at)}::timestamptz`;
    parts.push(`at ${after}= ${moment}`, `(at, id) ${after} (${moment}, ${place(id)})`);
  }
  const text = `
    SELECT g.id, g.at, g.action, g.actor_kind, g.actor_id, w.name AS actor_name, g.object_kind, g.object_id, g.before,
      g.after, coalesce(a.name, k.name, u.name, s.name->>t.default_locale, l.name->>t.default_locale, p.display_name)
        AS object_name
    FROM (SELECT * FROM audit_log WHERE ${parts.join(' AND ')}
      ORDER BY at ${direction}, id ${direction} LIMIT ${PAGE_SIZE + 1}) g
      ${NAMES}
    ORDER BY g.at ${direction}, g.id ${direction}`;
  return { text, values };
}

function cursorOf({ at, id }: AuditLine): string {
  return `${at.toISOString()}_${id}`;
}

/** What the Audit page can be narrowed to: everybody who ever changed something, and every kind of object. */
export type AuditChoices = { people: { id: string; name: string }[]; kinds: string[] };

const PEOPLE = `
  SELECT u.id, u.name FROM users u
  WHERE EXISTS (SELECT FROM audit_log g WHERE g.tenant_id = $1 AND g.actor_id = u.id)
    OR EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.user_id = u.id)
  ORDER BY lower(u.name), u.id LIMIT ${MAX_CHOICES}`;

const KINDS = `SELECT DISTINCT object_kind AS kind FROM audit_log WHERE tenant_id = $1 ORDER BY 1 LIMIT ${MAX_CHOICES}`;

/** Returns what a tenant's audit log can be narrowed to. */
export async function auditChoices(tenantId: string): Promise<AuditChoices> {
  const people = await pool().query<{ id: string; name: string }>(PEOPLE, [tenantId]);
  const kinds = await pool().query<{ kind: string }>(KINDS, [tenantId]);
  return { people: people.rows, kinds: kinds.rows.map(({ kind }) => kind) };
}
