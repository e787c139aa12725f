import { requestIdsFrom } from '@/lib/activity/request-log/bounds';
import { db, pool } from '@/lib/platform/db';
import { type Period, type PeriodName, periodOf, type RequestFilter, UNFILTERED } from '../requests/filter';
import { type Histogram, requestHistogram } from '../requests/histogram';

/** Newest requests from which the percentiles are computed. */
const MEASURED = 20_000;

const HOUR = 3_600;
const DAY = 86_400_000;

type Totals = { requests: number; client_errors: number; server_errors: number; estimated: boolean };

/** Summarizes a tenant's traffic over a period that ends now: requests, errors, new bookings, and durations. */
export async function trafficSummary(tenantId: string, now: Date, name: PeriodName) {
  const period = periodOf(now, name);
  const filter = { ...UNFILTERED, tenantId, period };
  const [histogram, durations, bookingsMade, previous] = await Promise.all([
    requestHistogram(filter),
    durationsOf(filter),
    countBookingsMade(tenantId, period),
    previousOf(filter),
  ]);
  return { histogram, totals: totalsOf(histogram), durations, bookings_made: bookingsMade, previous };
}

// Uses the index events_tenant_id_at_idx.
function countBookingsMade(tenantId: string, { from, to }: Period): Promise<number> {
  return db().event.count({ where: { tenantId, at: { gte: from, lte: to }, type: 'booking.created' } });
}

/** Bars of at least one hour are fast, because they are read from the hourly counts. */
async function previousOf(filter: RequestFilter) {
  const { tenantId, period } = filter;
  const length = period.to.getTime() - period.from.getTime();
  const before = { from: new Date(period.from.getTime() - length), to: new Date(period.from.getTime() - 1) };
  const [tenant, bookings_made] = await Promise.all([
    db().tenant.findFirst({ where: { id: tenantId }, select: { requestLogDays: true } }),
    countBookingsMade(tenantId, before),
  ]);
  if (!tenant || tenant.requestLogDays * DAY < 2 * length) return { totals: null, bookings_made };
  return { totals: totalsOf(await requestHistogram({ ...filter, period: before }, HOUR)), bookings_made };
}

function totalsOf({ bars }: Histogram): Totals | null {
  if (!bars) return null;
  const totals = { requests: 0, client_errors: 0, server_errors: 0, estimated: false };
  for (const { ok, client_errors, server_errors, estimated } of bars) {
    totals.requests += ok + client_errors + server_errors;
    totals.client_errors += client_errors;
    totals.server_errors += server_errors;
    totals.estimated ||= estimated;
  }
  return totals;
}

// Uses the index request_log_tenant_id_at_status_idx.
const DURATIONS = `
  SELECT count(*)::int AS measured, percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY duration_ms) AS of
  FROM (SELECT duration_ms FROM request_log WHERE tenant_id = $1 AND at >= $2 AND at <= $3 AND request_id >= $4
    ORDER BY at DESC LIMIT ${MEASURED}) AS newest`;

async function durationsOf({ tenantId, period }: RequestFilter) {
  const { rows } = await pool().query<{ measured: number; of: number[] | null }>(DURATIONS, [
    tenantId,
    period.from,
    period.to,
    requestIdsFrom(period.from),
  ]);
  const [p50, p95] = rows[0]?.of ?? [];
  if (p50 === undefined || p95 === undefined) return null;
  return { p50, p95, measured: rows[0]?.measured ?? 0 };
}
