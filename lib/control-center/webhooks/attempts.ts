import { db } from '@/lib/platform/db';
import { formatInstant, localDayBounds, storedZone } from '@/lib/platform/time-zones';
import { requireManaged } from '@/lib/webhooks/endpoint';
import { boundedRead } from '../bounded-read';

/** Hours of the last day, or local days. */
export const ATTEMPT_PERIODS = ['24h', '7d'] as const;
export type AttemptPeriod = (typeof ATTEMPT_PERIODS)[number];

const MINUTE = 60_000;
const DAY = 86_400_000;
const HOURS = 24;
const DAYS = 7;
const TIMEOUT = 2_000;

type Bounds = { from: Date; to: Date };

/** Attempts that started in an hour or a day. Running ones and test events are not counted. */
export type AttemptBar = Bounds & { succeeded: number; failed: number };

/**
 * Returns the bounds of each hour or day of the chart, in local time. A day on which daylight saving begins or ends has
 * 23 or 25 hours. The last hour or day has not ended yet.
 * @param timeZone The reader's time zone, as the browser names it. An unknown one counts as UTC.
 */
export function boundsOf(now: Date, period: AttemptPeriod, timeZone: string): Bounds[] {
  const zone = storedZone(timeZone);
  const minute = Math.floor(now.getTime() / MINUTE);
  const local = formatInstant(zone, minute);
  const bounds = (from: number, to: number) => ({ from: new Date(from * MINUTE), to: new Date(to * MINUTE) });
  if (period === '24h') {
    const hour = minute - Number(local.time.slice(3));
    return Array.from({ length: HOURS }, (_, n) => hour - (HOURS - 1 - n) * 60).map((from) => bounds(from, from + 60));
  }
  const dateOf = (n: number) => new Date(Date.parse(local.date) - (DAYS - 1 - n) * DAY).toISOString().slice(0, 10);
  return Array.from({ length: DAYS }, (_, n) => localDayBounds(zone, dateOf(n))).map(({ from, to }) =>
    bounds(from, to),
  );
}

// Uses the index delivery_attempts_started_at_idx for the time range of each bar.
const SQL = `
  SELECT made.succeeded, made.failed
  FROM unnest($2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS bar(begins, ends, number) CROSS JOIN LATERAL (
    SELECT (count(*) FILTER (WHERE t.error IS NULL))::int AS succeeded, count(t.error)::int AS failed
    FROM delivery_attempts t JOIN deliveries d ON d.id = t.delivery_id
    WHERE t.started_at >= bar.begins AND t.started_at < bar.ends AND t.duration_ms IS NOT NULL
      AND d.application_id = $1 AND NOT d.test) AS made
  ORDER BY bar.number`;

/**
 * Returns the numbers of attempts at an application's endpoint in each hour or day, oldest first. Returns null if
 * counting them takes too long.
 * @throws AppError not_found if the application does not exist or lacks `webhooks.manage`.
 */
export async function attemptHistory(
  now: Date,
  scope: { tenantId: string; applicationId: string },
  { period, timeZone }: { period: AttemptPeriod; timeZone: string },
): Promise<AttemptBar[] | null> {
  await requireManaged(db(), scope);
  const bounds = boundsOf(now, period, timeZone);
  const values = [scope.applicationId, bounds.map(({ from }) => from), bounds.map(({ to }) => to)];
  const counted = await boundedRead(TIMEOUT, (client) =>
    client.query<Pick<AttemptBar, 'succeeded' | 'failed'>>(SQL, values),
  );
  if (!counted) return null;
  return counted.rows.map((counts, n) => ({ ...(bounds[n] ?? { from: now, to: now }), ...counts }));
}
