import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { db } from '@/lib/platform/db';

/** Groups of `admittedRequests`. A partner calls from few servers, so there are rarely more. */
const MAX_GROUPS = 5_000;

/** Requests that are equal in everything that a policy checks. */
export type RequestGroup = {
  method: string;
  route: string | null;
  address: string | null;
  origin: string | null;
  /** Of the booking that the request created, read, or changed, otherwise null. The request log stores no location. */
  location_id: string | null;
  /** Whether the location was resolved before the response: a success or a 409 (contract B2). */
  resolved: boolean;
  replayed: boolean;
  count: number;
  /** Of the latest request. */
  request_id: string;
};

/** A minute above a quota, with the id of its latest request. */
export type BusyMinute = { minute: Date; count: number; request_id: string };

/**
 * Returns the requests after `since` that the policy admitted, the largest group first. They can have failed later, for
 * example because a slot was taken. `total` includes the groups that are not returned.
 */
export async function admittedRequests(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<{ kinds: RequestGroup[]; total: number }> {
  const rows = await db().$queryRaw<(RequestGroup & { total: number })[]>`
    SELECT r.method, r.route, r.address, r.origin, b.location_id, r.status < 400 OR r.status = 409 AS resolved,
      r.replayed_from IS NOT NULL AS replayed, count(*)::int AS count, max(r.request_id) AS request_id,
      (sum(count(*)) OVER ())::int AS total
    FROM request_log r
      LEFT JOIN bookings b ON b.reference = r.booking_reference AND b.tenant_id = r.tenant_id
    WHERE r.tenant_id = ${tenantId} AND r.application_id = ${applicationId} AND r.at > ${since}::timestamptz
      AND r.request_id >= ${requestIdsFrom(since)}
      AND coalesce(r.code, '') NOT IN ('invalid_api_key', 'credential_restricted', 'insufficient_scope',
        'rate_limited', 'service_unavailable')
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ORDER BY count DESC
    LIMIT ${MAX_GROUPS}`;
  return { kinds: rows.map(({ total: _, ...kind }) => kind), total: rows[0]?.total ?? 0 };
}

/** Returns the minutes with more than `quota` requests, busiest first. Earlier refusals do not count (contract B2). */
export async function busyMinutes(
  tenantId: string,
  applicationId: string,
  since: Date,
  quota: number,
): Promise<BusyMinute[]> {
  return db().$queryRaw<BusyMinute[]>`
    SELECT date_trunc('minute', at) AS minute, count(*)::int AS count, max(request_id) AS request_id
    FROM request_log
    WHERE tenant_id = ${tenantId} AND application_id = ${applicationId} AND at > ${since}::timestamptz
      AND request_id >= ${requestIdsFrom(since)}
      AND coalesce(code, '') <> 'invalid_api_key' AND coalesce(reason, '') NOT IN ('suspended', 'ip', 'origin')
    GROUP BY 1 HAVING count(*) > ${quota}
    ORDER BY 2 DESC, 1 DESC`;
}
