import { activeSql } from '@/lib/webhooks/active';
import { CLAIM_DAYS } from '../retention/claims';
import { EXPIRING, HELD_DAYS } from '../retention/prune';
import { readRow } from './deliveries';

/** By kind of data, except the request log, which has its own metric. */
type Backlog = Record<string, number>;

/** Hours. `prune` runs once an hour, so it should already have removed such a row. */
const GRACE = 2;
/** Per kind, and per tenant for `countOfTenants`. */
const MAX_COUNT = 10_000;

const before = (days: string | number) => `now() - (${days} * 24 + ${GRACE}) * interval '1 hour'`;

/** `due` selects rows of the tenant `t` that should be gone. A retention setting of null keeps rows forever. */
const countOfTenants = (due: string) =>
  `(SELECT count(*) FROM tenants t CROSS JOIN LATERAL (SELECT FROM ${due} LIMIT ${MAX_COUNT}) AS due)`;

const NOT_RUNNING = '(d.leased_until IS NULL OR d.leased_until <= now())';

// The conditions match those of the statements that remove the rows, so the queries use the same indexes.
const BACKLOG: Record<string, string> = {
  request_counts: countOfTenants(
    `request_counts r WHERE r.tenant_id = t.id AND r.hour < ${before('(t.request_log_days + 1)')}`,
  ),
  contacts: countOfTenants(
    `bookings b WHERE b.tenant_id = t.id AND b.ends_at < ${before('t.contact_days')} AND b.customer_name IS NOT NULL`,
  ),
  seats: countOfTenants(
    `slot_claims c WHERE c.tenant_id = t.id 
      AND (c.during << tstzrange(${before(CLAIM_DAYS)}, NULL) OR c.overlapping << tstzrange(${before(CLAIM_DAYS)}, NULL))`,
  ),
  deliveries: `${countOfTenants(
    `deliveries d WHERE d.tenant_id = t.id AND d.finished_at < ${before('t.delivery_days')}
      AND d.manual_requested_at IS NULL AND ${NOT_RUNNING}`,
  )} + ${countOfTenants(
    `webhook_endpoints e JOIN applications a ON a.id = e.application_id
        JOIN deliveries d ON d.application_id = e.application_id
      WHERE e.tenant_id = t.id AND NOT (${activeSql('e', 'a')}) AND d.state = 'pending'
        AND d.created_at < ${before(`GREATEST(t.delivery_days, ${HELD_DAYS})`)} AND ${NOT_RUNNING}`,
  )}`,
  events: countOfTenants(
    `events v LEFT JOIN bookings b ON b.reference = v.booking_reference
      WHERE v.tenant_id = t.id AND v.at < ${before('t.history_days')}
        AND (b.reference IS NULL OR b.ends_at < ${before('t.history_days')})
        AND NOT EXISTS (SELECT FROM deliveries d WHERE d.event_id = v.id)`,
  ),
  ...Object.fromEntries(
    EXPIRING.map(({ table, time, days }) => [
      table,
      `(SELECT count(*) FROM (SELECT FROM ${table} WHERE ${time} < ${before(days)} LIMIT ${MAX_COUNT}) AS due)`,
    ]),
  ),
};

const SQL = `SELECT ${Object.entries(BACKLOG).map(([kind, count]) => `(${count})::float8 AS ${kind}`)}`;

/** Returns the numbers of rows that still exist two hours after their retention, or null if the database is slow. */
export async function readBacklog(): Promise<Backlog | null> {
  return readRow<Backlog>('metrics-retention', SQL);
}
