import { pool } from '@/lib/platform/db';
import { activeSql, suspendedSql } from '@/lib/webhooks/active';
import { isFailing, MIN_ATTEMPTS, MIN_SUCCESS } from '@/lib/webhooks/failing';
import { effectiveState } from '@/lib/webhooks/view';
import { boundedRead } from '../bounded-read';

const DAY = 86_400_000;
export const PAGE_SIZE = 25;
/** Deliveries per endpoint. */
const MAX_COUNTED = 10_000;
const TIMEOUT = 2_000;

type Row = {
  id: string;
  name: string;
  url: string;
  state: string;
  stateReason: string | null;
  suspendedAt: Date | null;
  scopes: string[];
  failing: boolean;
  last: Date | null;
  day_attempts: number;
  day_succeeded: number;
  week_attempts: number;
  week_succeeded: number;
  pending: number;
  next: Date | null;
};

// Uses the index delivery_attempts_started_at_idx.
const MADE = `
  SELECT d.application_id, (count(*) FILTER (WHERE t.started_at >= $2))::int AS day_attempts,
    (count(*) FILTER (WHERE t.started_at >= $2 AND t.error IS NULL))::int AS day_succeeded,
    count(*)::int AS week_attempts, (count(*) FILTER (WHERE t.error IS NULL))::int AS week_succeeded
  FROM delivery_attempts t JOIN deliveries d ON d.id = t.delivery_id
  WHERE t.started_at >= $3 AND t.duration_ms IS NOT NULL AND d.tenant_id = $1 AND NOT d.test
  GROUP BY d.application_id`;

// Used instead of `MADE` if the attempts could not be counted in time. Returns no rows, because $2 is later than $3.
const NOT_COUNTED = `
  SELECT NULL::text AS application_id, 0 AS day_attempts, 0 AS day_succeeded, 0 AS week_attempts, 0 AS week_succeeded
  WHERE $2::timestamptz < $3::timestamptz`;

// Uses the indexes deliveries_application_id_state_id_idx and deliveries_due.
const listSql = (made: string) => `
  WITH made AS (${made}),
  page AS (
    SELECT a.id, a.name, e.url, e.state, e.state_reason AS "stateReason", ${suspendedSql('a')} AS "suspendedAt", a.scopes,
      e.failing, e.last_attempt_at AS last, coalesce(made.day_attempts, 0) AS day_attempts,
      coalesce(made.day_succeeded, 0) AS day_succeeded, coalesce(made.week_attempts, 0) AS week_attempts,
      coalesce(made.week_succeeded, 0) AS week_succeeded, row_number() OVER (ORDER BY
        e.state <> 'disabled',
        ${activeSql('e', 'a')},
        NOT (e.failing OR coalesce(made.day_attempts >= ${MIN_ATTEMPTS}
          AND made.day_succeeded < made.day_attempts * ${MIN_SUCCESS}, false)),
        lower(a.name), a.id) AS place
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
      LEFT JOIN made ON made.application_id = a.id
    WHERE e.tenant_id = $1
    ORDER BY place LIMIT ${PAGE_SIZE} OFFSET $4)
  SELECT page.*, (
      SELECT count(*)::int FROM (
        SELECT FROM deliveries w WHERE w.application_id = page.id AND w.state = 'pending' AND NOT w.test
        LIMIT ${MAX_COUNTED + 1}) AS waiting) AS pending, (
      SELECT min(w.due_at) FROM deliveries w
      WHERE w.application_id = page.id AND w.due_at IS NOT NULL AND NOT w.test) AS next
  FROM page ORDER BY page.place`;

/**
 * Returns one page of a tenant's endpoints, and the number of endpoints on all pages. Disabled endpoints come first,
 * then other inactive endpoints, then failing endpoints. Each group is ordered by the name of the application.
 * @param page The page number, starting at 1.
 */
export async function listEndpoints(tenantId: string, now: Date, page: number) {
  const since = [new Date(now.getTime() - DAY), new Date(now.getTime() - 7 * DAY)];
  const values = [tenantId, ...since, (page - 1) * PAGE_SIZE];
  const [counted, all] = await Promise.all([
    boundedRead(TIMEOUT, (client) => client.query<Row>(listSql(MADE), values)),
    pool().query<{ total: number }>('SELECT count(*)::int AS total FROM webhook_endpoints WHERE tenant_id = $1', [
      tenantId,
    ]),
  ]);
  const { rows } = counted ?? (await pool().query<Row>(listSql(NOT_COUNTED), values));
  return { endpoints: rows.map((row) => summaryOf(row, counted !== null)), total: all.rows[0]?.total ?? 0 };
}

function summaryOf(row: Row, isCounted: boolean) {
  const { state, reason } = effectiveState(row, row);
  return {
    application: { id: row.id, name: row.name },
    host: new URL(row.url).host,
    state,
    reason,
    failing: isFailing(state, row.day_attempts, row.day_succeeded, row.failing),
    day: isCounted ? { attempts: row.day_attempts, succeeded: row.day_succeeded } : null,
    week: isCounted ? { attempts: row.week_attempts, succeeded: row.week_succeeded } : null,
    last_attempt_at: row.last,
    pending: Math.min(row.pending, MAX_COUNTED),
    more: row.pending > MAX_COUNTED,
    next_attempt_at: state === 'active' ? row.next : null,
  };
}
