import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { db } from '@/lib/platform/db';

/** Length of the traffic window of the Control Center in hours. */
const WINDOW_HOURS = 24;

/** Returns the start of the traffic window of the Control Center. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_HOURS * 3_600_000);
}

/** The number of requests, and of those with a 4xx or 5xx response. */
export type Traffic = { requests: number; errors: number };

/**
 * Returns the traffic of an application by key since a time. Includes revoked keys and keys that are no longer listed,
 * so the sum is the application's traffic.
 */
export async function trafficByKey(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<ReadonlyMap<string, Traffic>> {
  const rows = await db().$queryRaw<({ key_id: string | null } & Traffic)[]>`
    SELECT key_id, count(*)::int AS requests, (count(*) FILTER (WHERE status >= 400))::int AS errors
    FROM request_log
    WHERE tenant_id = ${tenantId} AND application_id = ${applicationId} AND at > ${since}::timestamptz
      AND request_id >= ${requestIdsFrom(since)}
    GROUP BY key_id`;
  return new Map(rows.map(({ key_id, requests, errors }) => [key_id ?? '', { requests, errors }]));
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
