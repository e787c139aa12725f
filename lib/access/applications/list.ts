import { OWN_SYSTEM_SCOPE } from '@/lib/contract/common';
import { db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import { recentTrafficSql } from './traffic';

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
  const where = condition(tenantId, query);
  const traffic = await recentTrafficSql(now, tenantId);
  const [applications, counted] = await Promise.all([
    db().$queryRaw<ApplicationSummary[]>(pageSql(now, tenantId, { where, traffic }, query)),
    db().$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM applications a WHERE ${where}`,
  ]);
  return { applications, total: counted[0]?.total ?? 0 };
}

function condition(tenantId: string, { search, status }: ListQuery): Prisma.Sql {
  const parts = [Prisma.sql`a.tenant_id = ${tenantId}`];
  const text = search.trim().toLowerCase();
  // LIKE would treat % and _ in the search text as wildcards.
  if (text) parts.push(Prisma.sql`(position(${text} in lower(a.name)) > 0 OR a.id = ${text})`);
  if (status === 'active') parts.push(Prisma.sql`a.suspended_at IS NULL`);
  if (status === 'suspended') parts.push(Prisma.sql`a.suspended_at IS NOT NULL`);
  return Prisma.join(parts, ' AND ');
}

const ORDER: Record<ListQuery['sort'], string> = {
  name: 'lower(a.name)',
  created_at: 'a.created_at',
  last_request_at: 'keys.last_request_at',
  requests_24h: 'requests_24h',
  errors_24h: 'errors_24h',
};

type Sources = { where: Prisma.Sql; traffic: Prisma.Sql };

function pageSql(
  now: Date,
  tenantId: string,
  { where, traffic }: Sources,
  { sort, direction, page }: ListQuery,
): Prisma.Sql {
  const order = Prisma.raw(`${ORDER[sort]} ${direction === 'desc' ? 'DESC' : 'ASC'} NULLS LAST, a.id`);
  return Prisma.sql`
    WITH traffic AS (${traffic}),
    keys AS (
      SELECT k.application_id, max(k.last_used_at) AS last_request_at, (count(*) FILTER (
        WHERE k.revoked_at IS NULL AND coalesce(least(k.expires_at, k.overlap_ends_at), 'infinity') > ${now}::timestamptz
      ))::int AS in_use
      FROM api_keys k JOIN applications o ON o.id = k.application_id WHERE o.tenant_id = ${tenantId}
      GROUP BY k.application_id)
    SELECT a.id, a.name, a.suspended_at, a.created_at, array_remove(a.scopes, ${OWN_SYSTEM_SCOPE}::text) AS scopes, a.all_locations, place.location_count,
      place.location_names, coalesce(keys.in_use, 0) AS keys_in_use, keys.last_request_at,
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
    ORDER BY ${order} LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}`;
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
