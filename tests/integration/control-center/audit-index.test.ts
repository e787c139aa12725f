import { afterAll, expect, test } from 'vitest';
import { type AuditFilter, auditSql } from '@/lib/control-center/audit/list';
import { pool } from '@/lib/platform/db';
import { inTenant } from '@/lib/platform/tenant-scope';
import { ownDatabase } from '@/tests/support/own-database';

const { query, drop } = await ownDatabase();
afterAll(drop);

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

// Inserts so many entries of two tenants that PostgreSQL prefers an index. Foreign keys are disabled, so the entries
// need no parent rows. The tests read only query plans.
await query(
  `SET session_replication_role = replica;
   INSERT INTO audit_log (id, at, tenant_id, actor_kind, actor_id, action, object_kind, object_id)
   SELECT 'aud_' || lpad(n::text, 26, '0'), now() - n * interval '1 minute', 'ten_' || lpad((n % 2)::text, 26, '0'),
     'owner', 'usr_' || lpad((n % 40)::text, 26, '0'), 'thing.changed_' || n % 20, 'thing_' || n % 4,
     'app_' || lpad((n % 400)::text, 26, '0')
   FROM generate_series(1, 40000) n;
   RESET session_replication_role`,
);
await query('VACUUM (ANALYZE) audit_log');

const FILTER: AuditFilter = {
  tenantId: id('ten', 1),
  person: null,
  action: null,
  object_kind: null,
  object_id: null,
  from: null,
  to: null,
};

/** Returns the names of the indexes with which PostgreSQL reads a page of the audit log. */
async function indexOf(part: Partial<AuditFilter>, cursor: string | null = null): Promise<string[]> {
  const { text, values } = auditSql({ ...FILTER, ...part }, { cursor, back: false }, 50);
  expect(text).not.toMatch(/offset/i);
  // The row-level security policies apply to the statement, as they do during a tRPC call.
  const { rows } = await inTenant(FILTER.tenantId, () => pool().query(`EXPLAIN ${text}`, values));
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toContain('Seq Scan on audit_log');
  return [...new Set([...plan.matchAll(/(audit_log_\w+_idx|audit_log_pkey)/g)].map((found) => found[1] ?? ''))];
}

test.each<[string, Partial<AuditFilter>]>([
  ['audit_log_tenant_id_at_idx', {}],
  ['audit_log_tenant_id_actor_id_at_idx', { person: id('usr', 1) }],
  ['audit_log_tenant_id_action_at_idx', { action: 'thing.changed_1' }],
  ['audit_log_tenant_id_object_id_at_idx', { object_id: id('app', 1) }],
  ['audit_log_tenant_id_at_idx', { object_kind: 'thing_1' }],
])('reads the first and a later page from %s for %j', async (index, part) => {
  expect(await indexOf(part)).toEqual([index]);
  const cursor = `${new Date(Date.now() - 86_400_000).toISOString()}_${id('aud', 1)}`;
  expect(await indexOf(part, cursor)).toEqual([index]);
});
