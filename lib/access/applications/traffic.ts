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
 * Returns the SQL of the requests and errors after `since` for each value of a column, which is empty for requests without
 * one: from hourly counts, and from the request log for a part of the first hour and for the latest, which have no counts yet.
 */
async function trafficSql(
  by: 'application_id' | 'key_id',
  of: Prisma.Sql,
  since: Date,
  now: Date,
): Promise<Prisma.Sql> {
  const from = new Date(since.getTime() + 1);
  const { start, end } = countedHours(from, now, await countedUntil());
  const column = Prisma.raw(by);
  const log = (first: Date, last: Prisma.Sql) => Prisma.sql`
    SELECT coalesce(${column}, '') AS ${column}, status, count(*) AS requests FROM request_log
    WHERE ${of} AND at >= ${first}::timestamptz ${last} AND request_id >= ${requestIdsFrom(first)} GROUP BY 1, 2`;
  return Prisma.sql`
    SELECT ${column}, sum(requests)::int AS requests, coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::int AS errors
    FROM (
      SELECT ${column}, status, requests FROM request_counts
      WHERE ${of} AND hour >= ${start}::timestamptz AND hour < ${end}::timestamptz
      UNION ALL ${log(from, Prisma.sql`AND at < ${start}::timestamptz`)}
      UNION ALL ${log(end, Prisma.empty)}) AS counted
    GROUP BY ${column}`;
}

/** Returns the SQL of a tenant's traffic in the last 24 hours by application. */
export function recentTrafficSql(now: Date, tenantId: string): Promise<Prisma.Sql> {
  return trafficSql('application_id', Prisma.sql`tenant_id = ${tenantId}`, windowStart(now), now);
}

/** Returns a tenant's traffic after `since` by application. */
export async function trafficByApplication(
  tenantId: string,
  since: Date,
  now: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const query = await trafficSql('application_id', Prisma.sql`tenant_id = ${tenantId}`, since, now);
  const rows = await db().$queryRaw<({ application_id: string } & Traffic)[]>(query);
  return new Map(rows.map(({ application_id, ...traffic }) => [application_id, traffic]));
}

/** Returns an application's traffic in the 24 hours after `since` by API key, also of keys that `listKeys` omits. */
export async function trafficByKey(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const now = new Date(since.getTime() + WINDOW_HOURS * HOUR);
  const of = Prisma.sql`tenant_id = ${tenantId} AND application_id = ${applicationId}`;
  const rows = await db().$queryRaw<({ key_id: string } & Traffic)[]>(await trafficSql('key_id', of, since, now));
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
