import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { countedHours, countedUntil } from '@/lib/activity/request-log/counts';
import { pool } from '@/lib/platform/db';
import { bind, param, type Sql, sql, statement } from '@/lib/platform/sql';

const HOUR = 3_600_000;

const WINDOW_HOURS = 24;

/** Returns the start of the 24 hours for which the Control Center shows traffic. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_HOURS * HOUR);
}

/** `errors` got a 4xx or 5xx response. */
export type Traffic = { requests: number; errors: number };

const START = param.timestamptz('start');
const END = param.timestamptz('end');

/**
 * Returns the SQL of the requests and errors for each value of a column, which is empty for requests without one: from
 * hourly counts, and from the request log for a part of the first hour and for the latest, which have no counts yet.
 */
function trafficSql<Of>(column: Sql<object>, of: Sql<Of>) {
  return sql`
    SELECT ${column}, sum(requests)::int AS requests, coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::int AS errors
    FROM (
      SELECT ${column}, status, requests FROM request_counts WHERE ${of} AND hour >= ${START} AND hour < ${END}
      UNION ALL SELECT coalesce(${column}, ''), status, count(*) FROM request_log
        WHERE ${of} AND at >= ${param.timestamptz('from')} AND at < ${START}
          AND request_id >= ${param.text('fromId')} GROUP BY 1, 2
      UNION ALL SELECT coalesce(${column}, ''), status, count(*) FROM request_log
        WHERE ${of} AND at >= ${END} AND request_id >= ${param.text('endId')} GROUP BY 1, 2) AS counted
    GROUP BY ${column}`;
}

const OF_TENANT = sql`tenant_id = ${param.text('tenantId')}`;

/** A tenant's traffic by application, with the values of `trafficValues`. */
export const TRAFFIC_BY_APPLICATION = trafficSql(sql`application_id`, OF_TENANT);

const BY_APPLICATION = statement<{ application_id: string } & Traffic>()`${TRAFFIC_BY_APPLICATION}`;

const BY_KEY = statement<{ key_id: string } & Traffic>()`
  ${trafficSql(sql`key_id`, sql`${OF_TENANT} AND application_id = ${param.text('applicationId')}`)}`;

/** Returns the values of SQL for the traffic after `since`. */
export async function trafficValues(since: Date, now: Date) {
  const from = new Date(since.getTime() + 1);
  const { start, end } = countedHours(from, now, await countedUntil());
  return { from, start, end, fromId: requestIdsFrom(from), endId: requestIdsFrom(end) };
}

/** Returns a tenant's traffic after `since` by application. */
export async function trafficByApplication(
  tenantId: string,
  since: Date,
  now: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const values = { tenantId, ...(await trafficValues(since, now)) };
  const { rows } = await pool().query<{ application_id: string } & Traffic>(bind(BY_APPLICATION, values));
  return new Map(rows.map(({ application_id, ...traffic }) => [application_id, traffic]));
}

/** Returns an application's traffic in the 24 hours after `since` by API key, also of keys that `listKeys` omits. */
export async function trafficByKey(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const now = new Date(since.getTime() + WINDOW_HOURS * HOUR);
  const values = { tenantId, applicationId, ...(await trafficValues(since, now)) };
  const { rows } = await pool().query<{ key_id: string } & Traffic>(bind(BY_KEY, values));
  return new Map(rows.map(({ key_id, ...traffic }) => [key_id, traffic]));
}

/** Returns the sum of the traffic of several keys. */
export function totalOf(traffic: ReadonlyMap<string, Traffic>): Traffic {
  let requests = 0;
  let errors = 0;
  for (const key of traffic.values()) {
    requests += key.requests;
    errors += key.errors;
  }
  return { requests, errors };
}
