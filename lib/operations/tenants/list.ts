import { db } from '@/lib/platform/db';

const MAX_TENANTS = 1_000;

/** As `npm run tenant -- list` prints it. */
export type TenantLine = {
  id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  /** To another deployment. */
  moving: boolean;
  deleting: boolean;
  members: number;
  applications: number;
};

/** Returns the first `MAX_TENANTS` tenants whose names contain `text`, in any letter case, by name. */
export async function listTenants(text = ''): Promise<{ tenants: TenantLine[]; more: boolean }> {
  const rows = await db().$queryRaw<TenantLine[]>`
    SELECT t.id, t.name, t.created_at, t.suspended_at, t.elsewhere_since IS NOT NULL AS moving, t.deletion_began_at IS NOT NULL AS deleting,
      (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = t.id) AS members,
      (SELECT count(*)::int FROM applications a WHERE a.tenant_id = t.id) AS applications
    FROM tenants t WHERE position(lower(${text}) IN lower(t.name)) > 0 OR ${text} = ''
    ORDER BY lower(t.name), t.id LIMIT ${MAX_TENANTS + 1}`;
  return { tenants: rows.slice(0, MAX_TENANTS), more: rows.length > MAX_TENANTS };
}

/** As `npm run tenant -- list --deleted` prints it. */
export type DeletionLine = { tenant_id: string; name: string; began_at: Date; finished_at: Date | null; rows: number };

/** Returns the `MAX_TENANTS` latest deletions of tenants whose names contain `text`, in any letter case. */
export async function listDeletions(text = ''): Promise<{ deletions: DeletionLine[]; more: boolean }> {
  const rows = await db().$queryRaw<DeletionLine[]>`
    SELECT tenant_id, name, began_at, finished_at,
      (SELECT coalesce(sum(value::bigint), 0)::float8 FROM jsonb_each_text(rows)) AS rows
    FROM tenant_deletions WHERE position(lower(${text}) IN lower(name)) > 0 OR ${text} = ''
    ORDER BY began_at DESC, tenant_id LIMIT ${MAX_TENANTS + 1}`;
  return { deletions: rows.slice(0, MAX_TENANTS), more: rows.length > MAX_TENANTS };
}
