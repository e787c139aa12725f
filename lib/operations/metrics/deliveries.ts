import { pool } from '@/lib/platform/db';
import { within } from '@/lib/platform/write-transaction';
import { activeSql } from '@/lib/webhooks/active';

/** Milliseconds. A scrape omits the metrics of a slower query. */
const QUERY_TIMEOUT = 2_000;

// Uses the index deliveries_due, which does not contain finished deliveries.
const DELIVERIES = `
  SELECT COALESCE(sum(waiting.count) FILTER (WHERE active), 0)::float8 AS waiting,
    COALESCE(sum(waiting.count) FILTER (WHERE NOT active), 0)::float8 AS held,
    COALESCE(GREATEST(0, EXTRACT(epoch FROM now() - min(waiting.oldest) FILTER (WHERE active AND NOT failing))), 0)::float8
      AS lag
  FROM (SELECT e.application_id, e.failing, ${activeSql('e', 'a')} AS active
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoint
  CROSS JOIN LATERAL (
    SELECT count(*), min(d.due_at) AS oldest FROM deliveries d
    WHERE d.application_id = endpoint.application_id AND d.due_at IS NOT NULL AND NOT d.test) AS waiting`;

/** `lag`: seconds of the oldest overdue delivery of endpoints that do not fail. Test events are not counted. */
export type Deliveries = { waiting: number; held: number; lag: number };

/** Counts the deliveries of the whole deployment, or returns null while the database is slow or unavailable. */
export async function readDeliveries(): Promise<Deliveries | null> {
  return readRow<Deliveries>('metrics-deliveries', DELIVERIES);
}

/** Returns the only row of a query, or null if it fails or is too slow. Prometheus then gets all other metrics. */
export async function readRow<Row extends object>(name: string, text: string): Promise<Row | null> {
  try {
    const query = pool().query<Row>({ name, text });
    return (await within(performance.now() + QUERY_TIMEOUT, query)).rows[0] ?? null;
  } catch {
    return null;
  }
}
