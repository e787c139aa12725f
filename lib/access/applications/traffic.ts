import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { countedHours, countedUntil } from '@/lib/activity/request-log/counts';
import { db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';

const HOUR = 3_600_000;

const WINDOW_HOURS = 24;

/** Returns the start of the 24 hours for which the Control Center shows traffic. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_HOURS * HOUR);
}

/** `errors` got a 4xx or 5xx response. */
export type Traffic = { requests: number; errors: number };

/**
 * Returns the SQL that counts the requests of the last 24 hours by application and status: hourly counts, and the
 * request log for a part of the first hour and for the latest, which have no counts yet.
 */
export async function trafficSql(now: Date, tenantId: string): Promise<Prisma.Sql> {
  const { from, start, end } = await sourcesOf(windowStart(now), now);
  const log = Prisma.sql`SELECT application_id, status, count(*) AS requests FROM request_log WHERE tenant_id = ${tenantId}`;
  return Prisma.sql`
    SELECT application_id, status, requests FROM request_counts
    WHERE tenant_id = ${tenantId} AND hour >= ${start}::timestamptz AND hour < ${end}::timestamptz
    UNION ALL ${log} AND at >= ${from}::timestamptz AND at < ${start}::timestamptz GROUP BY 1, 2
    UNION ALL ${log} AND at >= ${end}::timestamptz GROUP BY 1, 2`;
}

/** Returns a tenant's traffic after `since` by application. */
export async function trafficByApplication(
  tenantId: string,
  since: Date,
  now: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const { from, start, end } = await sourcesOf(since, now);
  const log = Prisma.sql`SELECT application_id, status, count(*) AS requests FROM request_log WHERE tenant_id = ${tenantId}`;
  const rows = await db().$queryRaw<({ application_id: string | null } & Traffic)[]>`
    SELECT application_id, sum(requests)::int AS requests,
      coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::int AS errors
    FROM (
      SELECT application_id, status, requests FROM request_counts
      WHERE tenant_id = ${tenantId} AND hour >= ${start}::timestamptz AND hour < ${end}::timestamptz
      UNION ALL ${log} AND at >= ${from}::timestamptz AND at < ${start}::timestamptz
        AND request_id >= ${requestIdsFrom(from)} GROUP BY 1, 2
      UNION ALL ${log} AND at >= ${end}::timestamptz AND request_id >= ${requestIdsFrom(end)} GROUP BY 1, 2) AS counted
    GROUP BY application_id`;
  return new Map(rows.map(({ application_id, requests, errors }) => [application_id ?? '', { requests, errors }]));
}

/** Returns an application's traffic in the 24 hours after `since` by API key, also of keys that `listKeys` omits. */
export async function trafficByKey(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const { from, start, end } = await sourcesOf(since, new Date(since.getTime() + WINDOW_HOURS * HOUR));
  const log = Prisma.sql`SELECT coalesce(key_id, '') AS key_id, status, count(*) AS requests FROM request_log
    WHERE tenant_id = ${tenantId} AND application_id = ${applicationId}`;
  const rows = await db().$queryRaw<({ key_id: string } & Traffic)[]>`
    SELECT key_id, sum(requests)::int AS requests, coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::int AS errors
    FROM (
      SELECT key_id, status, requests FROM request_counts
      WHERE tenant_id = ${tenantId} AND hour >= ${start}::timestamptz AND hour < ${end}::timestamptz
        AND application_id = ${applicationId}
      UNION ALL ${log} AND at >= ${from}::timestamptz AND at < ${start}::timestamptz
        AND request_id >= ${requestIdsFrom(from)} GROUP BY 1, 2
      UNION ALL ${log} AND at >= ${end}::timestamptz AND request_id >= ${requestIdsFrom(end)} GROUP BY 1, 2) AS counted
    GROUP BY key_id`;
  return new Map(rows.map(({ key_id, requests, errors }) => [key_id, { requests, errors }]));
}

/** `from` is the first millisecond after `since`. Hourly counts are between `start` and `end`, the log elsewhere. */
async function sourcesOf(since: Date, now: Date): Promise<{ from: Date; start: Date; end: Date }> {
  const from = new Date(since.getTime() + 1);
  return { from, ...countedHours(from, now, await countedUntil()) };
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
