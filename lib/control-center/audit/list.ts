import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { bind, nullable, param, sql, statement, whereSet } from '@/lib/platform/sql';
import { type KeysetPosition, type KeysetValues, keysetPage, keysetSql } from '@/lib/platform/text/keyset';

const PAGE_SIZE = 50;

const MAX_CHOICES = 500;

const NO_PERSON = ['operator', 'system'];

/** A null field matches all changes. */
export type AuditFilter = {
  tenantId: string;
  /** A user or an application (contract B20), or `operator` or `system`. */
  person: string | null;
  /** Such as `key.issued`. */
  action: string | null;
  object_kind: string | null;
  object_id: string | null;
  from: Date | null;
  to: Date | null;
};

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
  /** The application of a key or of a delivery. */
  object_application_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

// A deleted object has no name. A delivery has the name of its application, like an endpoint.
const NAMES = sql`
  LEFT JOIN tenants t ON t.id = g.tenant_id
  LEFT JOIN users w ON w.id = g.actor_id
  LEFT JOIN applications b ON b.id = g.actor_id AND b.tenant_id = g.tenant_id
  LEFT JOIN api_keys k ON k.id = g.object_id
  LEFT JOIN deliveries d ON d.id = g.object_id AND d.tenant_id = g.tenant_id
  LEFT JOIN applications a ON a.id = coalesce(k.application_id, d.application_id, g.object_id) AND a.tenant_id = g.tenant_id
  LEFT JOIN users u ON u.id = g.object_id
  LEFT JOIN services s ON s.id = g.object_id AND s.tenant_id = g.tenant_id
  LEFT JOIN locations l ON l.id = g.object_id AND l.tenant_id = g.tenant_id
  LEFT JOIN specialists p ON p.id = g.object_id AND p.tenant_id = g.tenant_id`;

/**
 * Returns a page of a tenant's audit log, newest first. A cursor is a time and an id, so late pages are as fast as
 * early ones. The filters by person, action, and object each have an index.
 * @throws AppError invalid_request if the cursor is invalid.
 */
export async function listAudit(filter: AuditFilter, page: KeysetPosition, size = PAGE_SIZE) {
  const { rows } = await pool().query<AuditLine>(auditSql(filter, page, size));
  const { rows: lines, previous, next } = keysetPage(rows, page, size, cursorOf);
  return { lines, previous, next };
}

type Values = AuditFilter & KeysetValues;

const PERSON = nullable(param.text('person'));

const CONDITIONS = {
  tenantId: sql`tenant_id = ${param.text('tenantId')}`,
  person: (person: string) => (NO_PERSON.includes(person) ? sql`actor_kind = ${PERSON}` : sql`actor_id = ${PERSON}`),
  action: sql`action = ${nullable(param.text('action'))}`,
  object_kind: sql`object_kind = ${nullable(param.text('object_kind'))}`,
  object_id: sql`object_id = ${nullable(param.text('object_id'))}`,
  from: sql`at >= ${nullable(param.timestamptz('from'))}`,
  to: sql`at < ${nullable(param.timestamptz('to'))}`,
};

/** Exported for a test of the index that PostgreSQL uses. */
export function auditSql(filter: AuditFilter, page: KeysetPosition, size: number): pg.QueryConfig<unknown[]> {
  const { beyond, order, values } = keysetSql(sql`g.at`, sql`g.id`, page, (id) => isId('aud', id));
  const select = statement<AuditLine>()`
    SELECT g.id, g.at, g.action, g.actor_kind, g.actor_id, coalesce(w.name, b.name) AS actor_name, g.object_kind, g.object_id, g.before,
      g.after, coalesce(k.name, a.name, u.name, s.name->>t.default_locale, l.name->>t.default_locale, p.display_name)
        AS object_name, coalesce(k.application_id, d.application_id) AS object_application_id
    FROM (SELECT * FROM audit_log g WHERE ${whereSet<AuditFilter, Values>(filter, CONDITIONS, beyond)} ORDER BY ${order}
      LIMIT ${size + 1}) g
      ${NAMES}
    ORDER BY ${order}`;
  return bind(select, { ...filter, ...values });
}

function cursorOf({ at, id }: AuditLine): string {
  return `${at.toISOString()}_${id}`;
}

const PEOPLE = `
  SELECT u.id, u.name FROM users u
  WHERE EXISTS (SELECT FROM audit_log g WHERE g.tenant_id = $1 AND g.actor_id = u.id)
    OR EXISTS (SELECT FROM memberships m WHERE m.tenant_id = $1 AND m.user_id = u.id)
  ORDER BY lower(u.name), u.id LIMIT ${MAX_CHOICES}`;

const ACTIONS = `SELECT DISTINCT action FROM audit_log WHERE tenant_id = $1 ORDER BY 1 LIMIT ${MAX_CHOICES}`;

const KINDS = `SELECT DISTINCT object_kind AS kind FROM audit_log WHERE tenant_id = $1 ORDER BY 1 LIMIT ${MAX_CHOICES}`;

/** Returns the options of the filters with which owners search a tenant's audit log. */
export async function auditChoices(tenantId: string) {
  const people = await pool().query<{ id: string; name: string }>(PEOPLE, [tenantId]);
  const kinds = await pool().query<{ kind: string }>(KINDS, [tenantId]);
  const actions = await pool().query<{ action: string }>(ACTIONS, [tenantId]);
  return {
    people: people.rows,
    actions: actions.rows.map(({ action }) => action),
    kinds: kinds.rows.map(({ kind }) => kind),
  };
}
