import { db } from '@/lib/platform/db';

/** Kinds of requests that one look tells apart; a partner's servers are few, so this is rarely reached. */
const MAX_KINDS = 5_000;

/** Requests of the last day that differ in nothing a policy looks at. */
export type SeenRequests = {
  method: string;
  route: string | null;
  address: string | null;
  origin: string | null;
  /** Of the booking that the request named; the location of other requests is not logged. */
  location_id: string | null;
  /** Whether it got as far as its location: it succeeded, or the slot or version was not to be had (contract B2). */
  resolved: boolean;
  /** Whether a stored success answered it. */
  replayed: boolean;
  count: number;
  /** The newest of them. */
  request_id: string;
};

/** What came within one minute. */
export type BusyMinute = { minute: Date; count: number; request_id: string };

/**
 * Returns the requests of an application since a moment that its policy let through, whatever became of them, by what
 * a policy looks at; the most frequent kinds first. `total` counts all of them, also beyond the kinds returned.
 */
export async function admittedRequests(
  tenantId: string,
  applicationId: string,
  since: Date,
): Promise<{ kinds: SeenRequests[]; total: number }> {
  const rows = await db().$queryRaw<(SeenRequests & { total: number })[]>`
    SELECT r.method, r.route, r.address, r.origin, b.location_id, r.status < 400 OR r.status = 409 AS resolved,
      r.replayed_from IS NOT NULL AS replayed, count(*)::int AS count, max(r.request_id) AS request_id,
      (sum(count(*)) OVER ())::int AS total
    FROM request_log r
      LEFT JOIN bookings b ON b.reference = r.booking_reference AND b.tenant_id = r.tenant_id
    WHERE r.tenant_id = ${tenantId} AND r.application_id = ${applicationId} AND r.at > ${since}::timestamptz
      AND coalesce(r.code, '') NOT IN ('invalid_api_key', 'credential_restricted', 'insufficient_scope',
        'rate_limited', 'service_unavailable')
    GROUP BY 1, 2, 3, 4, 5, 6, 7
    ORDER BY count DESC
    LIMIT ${MAX_KINDS}`;
  return { kinds: rows.map(({ total: _, ...kind }) => kind), total: rows[0]?.total ?? 0 };
}

/**
 * Returns the minutes since a moment in which an application sent more than `quota` requests that count against one:
 * those that were refused before the rate limit do not (contract B2). The busiest come first.
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
      AND coalesce(code, '') <> 'invalid_api_key' AND coalesce(reason, '') NOT IN ('suspended', 'ip', 'origin')
    GROUP BY 1 HAVING count(*) > ${quota}
    ORDER BY 2 DESC, 1 DESC`;
}
