import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { db } from '@/lib/platform/db';

/**
 * Maximum number of groups that `admittedRequests` returns (see `RequestGroup`). A partner calls from few servers, so
 * there are rarely more groups.
 */
const MAX_GROUPS = 5_000;

/** A group of requests that are equal in everything that a policy checks. */
export type RequestGroup = {
  method: string;
  route: string | null;
  address: string | null;
  origin: string | null;
  /**
   * The location of the booking that the request created, read, or changed. Null if the request has no booking. The
   * request log itself stores no location.
   */
  location_id: string | null;
  /**
   * Whether the server had resolved the request's location before it responded. True if the request succeeded or was
   * refused with 409 (contract B2).
   */
  resolved: boolean;
  replayed: boolean;
  count: number;
  /** The id of the latest request in the group. */
  request_id: string;
};

/** A minute in which an application exceeded a quota, with the number of requests and the id of the latest request. */
export type BusyMinute = { minute: Date; count: number; request_id: string };

/**
 * Returns the requests after `since` that the policy of an application admitted, as groups of requests that are equal
 * in everything that a policy checks. The largest group comes first. An admitted request can have failed later, for
 * example because a slot was taken. `total` is the number of requests in all groups, including groups that are not
 * returned.
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

/**
 * Returns the minutes after `since` in which an application sent more than `quota` requests, busiest first. Requests
 * that were refused before the rate limit do not count (contract B2).
 */
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
