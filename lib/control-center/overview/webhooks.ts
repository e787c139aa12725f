import { pool } from '@/lib/platform/db';
import { suspendedSql } from '@/lib/webhooks/active';
import { isFailing, MIN_ATTEMPTS, MIN_SUCCESS } from '@/lib/webhooks/failing';
import { effectiveState } from '@/lib/webhooks/view';

const DAY = 86_400_000;
const MAX_ENTRIES = 20;

type Row = {
  id: string;
  name: string;
  state: string;
  stateReason: string | null;
  suspendedAt: Date | null;
  scopes: string[];
  failing: boolean;
  unreadable: boolean;
  attempts: number;
  succeeded: number;
  pending: number;
  oldest: Date | null;
};

// Inactive endpoints come first, then failing ones. Uses the indexes deliveries_application_id_state_id_idx and
// delivery_attempts_started_at_idx.
const SQL = `
  SELECT a.id, a.name, e.state, e.state_reason AS "stateReason", ${suspendedSql('a')} AS "suspendedAt", a.scopes,
    e.failing, coalesce(made.unsigned > coalesce(made.signed, '-infinity') AND made.unsigned >= coalesce((
      SELECT max(s.created_at) FROM webhook_secrets s WHERE s.application_id = a.id), '-infinity'), false) AS unreadable,
    coalesce(made.attempts, 0)::int AS attempts, coalesce(made.succeeded, 0)::int AS succeeded,
    waiting.pending, waiting.oldest
  FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
  LEFT JOIN (
    SELECT d.application_id, count(*) AS attempts, count(*) FILTER (WHERE t.error IS NULL) AS succeeded,
      max(t.started_at) FILTER (WHERE t.error = 'secret_unreadable') AS unsigned,
      max(t.started_at) FILTER (WHERE t.error IS DISTINCT FROM 'secret_unreadable') AS signed
    FROM delivery_attempts t JOIN deliveries d ON d.id = t.delivery_id
    WHERE t.started_at >= $2 AND t.duration_ms IS NOT NULL AND d.tenant_id = $1 AND NOT d.test
    GROUP BY d.application_id) AS made ON made.application_id = a.id
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS pending, min(w.created_at) AS oldest FROM deliveries w
    WHERE w.application_id = a.id AND w.state = 'pending' AND NOT w.test) AS waiting
  WHERE e.tenant_id = $1 AND 'webhooks.manage' = ANY (a.scopes)
  ORDER BY e.state = 'active' AND ${suspendedSql('a')} IS NULL, e.state <> 'disabled',
    NOT (e.failing OR coalesce(made.attempts >= ${MIN_ATTEMPTS} AND made.succeeded < made.attempts * ${MIN_SUCCESS}, false)),
    waiting.oldest, a.name, a.id
  LIMIT ${MAX_ENTRIES}`;

/** Returns the health of up to 20 endpoints of a tenant, inactive and failing ones first. */
export async function webhookHealth(tenantId: string, now: Date) {
  const { rows } = await pool().query<Row>(SQL, [tenantId, new Date(now.getTime() - DAY)]);
  return rows
    .map((row) => ({ row, effective: effectiveState(row, row) }))
    .map(({ row, effective }) => ({
      application: { id: row.id, name: row.name },
      ...effective,
      failing: isFailing(effective.state, row.attempts, row.succeeded, row.failing),
      secret_unreadable: row.unreadable,
      low_success: isFailing(effective.state, row.attempts, row.succeeded),
      attempts_24h: row.attempts,
      succeeded_24h: row.succeeded,
      pending: row.pending,
      oldest_pending_at: row.oldest,
    }));
}
