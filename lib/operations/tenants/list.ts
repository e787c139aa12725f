import { db } from '@/lib/platform/db';

/** Maximum number of tenants in a list. */
const MAX_TENANTS = 1_000;

/** A tenant as `npm run tenant -- list` prints it. */
export type TenantLine = {
  id: string;
  name: string;
  created_at: Date;
  suspended_at: Date | null;
  members: number;
  applications: number;
};

/**
 * Returns the tenants whose names contain `text`, in any letter case, ordered by name. `more` states whether there are
 * more than the returned 1,000.
 */
export async function listTenants(text = ''): Promise<{ tenants: TenantLine[]; more: boolean }> {
  const rows = await db().$queryRaw<TenantLine[]>`
    SELECT t.id, t.name, t.created_at, t.suspended_at,
      (SELECT count(*)::int FROM memberships m WHERE m.tenant_id = t.id) AS members,
      (SELECT count(*)::int FROM applications a WHERE a.tenant_id = t.id) AS applications
    FROM tenants t WHERE position(lower(${text}) IN lower(t.name)) > 0 OR ${text} = ''
    ORDER BY lower(t.name), t.id LIMIT ${MAX_TENANTS + 1}`;
  return { tenants: rows.slice(0, MAX_TENANTS), more: rows.length > MAX_TENANTS };
}
