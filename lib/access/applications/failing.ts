import { pool } from '@/lib/platform/db';

const DAY = 86_400_000;

/** Maximum number of requests per application from which the error rate is computed. The newest requests are used. */
const COUNTED = 2_000;
/** With fewer requests, a single error would change the rate too much. */
const MIN_REQUESTS = 20;
/** An application needs attention if its error rate (0..1) is at least this high. */
const FAILING = 0.2;
/** An application needs attention if it made at least this many requests and all of them failed. */
const MIN_ALL_FAILED = 5;
const MAX_ENTRIES = 20;

/** An application whose error rate needs attention, with the counted requests. */
export type FailingApplication = { id: string; name: string; requests: number; errors: number };

// Uses the index request_log_tenant_id_application_id_at_status_idx.
const FAILING_SQL = `
  SELECT a.id, a.name, counted.requests, counted.errors
  FROM applications a CROSS JOIN LATERAL (
    SELECT count(*)::int AS requests, (count(*) FILTER (WHERE status >= 400))::int AS errors
    FROM (
      SELECT status FROM request_log
      WHERE tenant_id = $1 AND application_id = a.id AND at >= $2 AND at <= $3
      ORDER BY at DESC LIMIT ${COUNTED}) AS newest) AS counted
  WHERE a.tenant_id = $1 AND a.suspended_at IS NULL
    AND (counted.requests >= ${MIN_REQUESTS} AND counted.errors >= counted.requests * ${FAILING}
      OR counted.requests >= ${MIN_ALL_FAILED} AND counted.errors = counted.requests)
  ORDER BY counted.errors::float / counted.requests DESC, a.id LIMIT ${MAX_ENTRIES}`;

/** Returns the applications of whose newest `COUNTED` requests in the last 24 hours many failed. */
export async function failingApplications(tenantId: string, now: Date): Promise<FailingApplication[]> {
  const values = [tenantId, new Date(now.getTime() - DAY), now];
  const { rows } = await pool().query<FailingApplication>(FAILING_SQL, values);
  return rows;
}
