import { db } from '@/lib/platform/db';

/** Hours that the figures of the Control Center look back. */
const WINDOW_HOURS = 24;

/** Returns the moment from which the figures of the Control Center count. */
export function windowStart(now: Date): Date {
  return new Date(now.getTime() - WINDOW_HOURS * 3_600_000);
}

/** Requests and, of these, the ones answered with 4xx or 5xx. */
export type Traffic = { requests: number; errors: number };

/**
 * Returns the traffic of each key of an application since a moment. What came with a key that is gone from the list,
 * or was refused for its key, counts under that key's id: the sum is the application's traffic.
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
    GROUP BY key_id`;
  return new Map(rows.map(({ key_id, requests, errors }) => [key_id ?? '', { requests, errors }]));
}

/** Returns the sum of the traffic of several keys. */
export function totalOf(traffic: ReadonlyMap<string, Traffic>): Traffic {
  let requests = 0;
  let errors = 0;
  for (const one of traffic.values()) {
    requests += one.requests;
    errors += one.errors;
  }
  return { requests, errors };
}
