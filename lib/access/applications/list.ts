import { OWN_SYSTEM_SCOPE } from '@/lib/contract/common';
import { db, pool } from '@/lib/platform/db';
import { bind, param, type Sql, sql, statement, whereSet } from '@/lib/platform/sql';
import { TRAFFIC_BY_APPLICATION, trafficValues, windowStart } from './traffic';

export const PAGE_SIZE = 25;

export const SORTS = ['name', 'created_at', 'last_request_at', 'requests_24h', 'errors_24h'] as const;

export type ListQuery = {
  /** Part of a name, or a complete id. */
  search: string;
  status: 'any' | 'active' | 'suspended';
  sort: (typeof SORTS)[number];
  direction: 'asc' | 'desc';
  /** From 1. */
  page: number;
};

export type ApplicationSummary = {
  id: string;
  name: string;
  suspended_at: Date | null;
  created_at: Date;
  scopes: string[];
  all_locations: boolean;
  location_count: number;
  /** Of the first three locations, in the tenant's default language. */
  location_names: string[];
  keys_in_use: number;
  last_request_at: Date | null;
  requests_24h: number;
  errors_24h: number;
};

/** Returns one page of the tenant's applications with their traffic in the last 24 hours, and their total number. */
export async function listApplications(
  now: Date,
  tenantId: string,
  query: ListQuery,
): Promise<{ applications: ApplicationSummary[]; total: number }> {
  const text = query.search.trim().toLowerCase();
  const traffic = await trafficValues(windowStart(now), now);
  const values = { now, tenantId, text, hidden: OWN_SYSTEM_SCOPE, ...traffic };
  const where = condition(text, query.status);
  const count = statement()`SELECT count(*)::int AS total FROM applications a WHERE ${where}`;
  const [{ rows: applications }, counted] = await Promise.all([
    pool().query<ApplicationSummary>(bind(pageOf(where, query), values)),
    pool().query<{ total: number }>(bind(count, values)),
  ]);
  return { applications, total: counted.rows[0]?.total ?? 0 };
}

const TEXT = param.text('text');
const OF_TENANT: Sql<{ tenantId: string; text: string }> = sql`a.tenant_id = ${param.text('tenantId')}`;

function condition(text: string, status: ListQuery['status']) {
  return whereSet(
    { text: text || null, active: status === 'active' || null, suspended: status === 'suspended' || null },
    {
      // LIKE would treat % and _ in the search text as wildcards.
      text: sql`(position(${TEXT} in lower(a.name)) > 0 OR a.id = ${TEXT})`,
      active: sql`a.suspended_at IS NULL`,
      suspended: sql`a.suspended_at IS NOT NULL`,
    },
    [OF_TENANT],
  );
}

const ORDER = {
  name: sql`lower(a.name)`,
  created_at: sql`a.created_at`,
  last_request_at: sql`keys.last_request_at`,
  requests_24h: sql`requests_24h`,
  errors_24h: sql`errors_24h`,
};

function pageOf(where: ReturnType<typeof condition>, { sort, direction, page }: ListQuery) {
  return statement<ApplicationSummary>()`
    WITH traffic AS (${TRAFFIC_BY_APPLICATION}),
    keys AS (
      SELECT k.application_id, max(k.last_used_at) AS last_request_at, (count(*) FILTER (
        WHERE k.revoked_at IS NULL AND coalesce(least(k.expires_at, k.overlap_ends_at), 'infinity') > ${param.timestamptz('now')}
      ))::int AS in_use
      FROM api_keys k JOIN applications o ON o.id = k.application_id WHERE o.tenant_id = ${param.text('tenantId')}
      GROUP BY k.application_id)
    SELECT a.id, a.name, a.suspended_at, a.created_at, array_remove(a.scopes, ${param.text('hidden')}) AS scopes, a.all_locations,
      place.location_count, place.location_names, coalesce(keys.in_use, 0) AS keys_in_use, keys.last_request_at,
      coalesce(traffic.requests, 0) AS requests_24h, coalesce(traffic.errors, 0) AS errors_24h
    FROM applications a
      JOIN tenants t ON t.id = a.tenant_id
      LEFT JOIN traffic ON traffic.application_id = a.id
      LEFT JOIN keys ON keys.application_id = a.id
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS location_count, coalesce(
          (array_agg(coalesce(l.name->>t.default_locale, l.city) ORDER BY l.id))[1:3], '{}') AS location_names
        FROM application_locations al JOIN locations l ON l.id = al.location_id
        WHERE al.application_id = a.id) place
    WHERE ${where}
    ORDER BY ${ORDER[sort]} ${direction === 'desc' ? sql`DESC` : sql`ASC`} NULLS LAST, a.id
    LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}`;
}

/** The policy editor shows a checkbox for each. */
const MAX_LOCATIONS = 500;

export type LocationChoice = { id: string; name: string; city: string; published: boolean };

/** Returns the tenant's locations, ordered by their names in the tenant's default language. */
export async function listLocations(tenantId: string): Promise<LocationChoice[]> {
  return db().$queryRaw<LocationChoice[]>`
    SELECT l.id, coalesce(l.name->>t.default_locale, l.city) AS name, l.city, l.published
    FROM locations l JOIN tenants t ON t.id = l.tenant_id
    WHERE l.tenant_id = ${tenantId}
    ORDER BY lower(coalesce(l.name->>t.default_locale, l.city)), l.id
    LIMIT ${MAX_LOCATIONS}`;
}
