import { trafficByApplication } from '@/lib/access/applications/traffic';
import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { boundedRead } from '../bounded-read';
import { type PeriodName, periodOf } from '../requests/filter';

/** Newest refused and failed requests that are grouped. */
const GROUPED = 50_000;
const MAX_GROUPS = 20;
const TIMEOUT_MS = 2_000;

type Row = {
  application_id: string;
  name: string;
  code: string;
  reason: string | null;
  errors: number;
  grouped: number;
};

// Uses the partial index request_log_tenant_id_status_at_idx, or that by time, of the days of the period.
const ERRORS = `
  WITH newest AS (
    SELECT application_id, coalesce(code, '') AS code, reason FROM request_log
    WHERE tenant_id = $1 AND at >= $2 AND at <= $3 AND request_id >= $4 AND status >= 400 AND application_id IS NOT NULL
    ORDER BY at DESC LIMIT ${GROUPED})
  SELECT g.*, coalesce(a.name, g.application_id) AS name, (SELECT count(*)::int FROM newest) AS grouped
  FROM (SELECT application_id, code, reason, count(*)::int AS errors FROM newest GROUP BY 1, 2, 3
      ORDER BY errors DESC, 1, 2, 3 LIMIT ${MAX_GROUPS}) g
    LEFT JOIN applications a ON a.id = g.application_id AND a.tenant_id = $1
  ORDER BY g.errors DESC, name, g.code, g.reason`;

/**
 * Groups a tenant's refused and failed requests of a period that ends now, the most frequent groups first. `groups` is
 * null if the query timed out. `complete` states whether all errors of the period are grouped.
 */
export async function errorGroups(tenantId: string, now: Date, name: PeriodName) {
  const { from, to } = periodOf(now, name);
  const [rows, traffic] = await Promise.all([
    boundedRead(TIMEOUT_MS, async (client) => {
      return (await client.query<Row>(ERRORS, [tenantId, from, to, requestIdsFrom(from)])).rows;
    }),
    trafficByApplication(tenantId, from, now),
  ]);
  if (rows === null) return { groups: null, complete: false };
  const groups = rows.map(({ application_id: id, name: application, code, reason, errors }) => ({
    application: { id, name: application },
    code,
    reason,
    errors,
    requests: Math.max(errors, traffic.get(id)?.requests ?? 0),
  }));
  return { groups, complete: (rows[0]?.grouped ?? 0) < GROUPED && rows.length < MAX_GROUPS };
}
