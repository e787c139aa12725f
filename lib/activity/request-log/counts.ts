import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { earliestTimeOf, requestIdsBetween, requestIdsFrom } from './bounds';

const HOUR = 3_600_000;

/** Milliseconds after an hour. By then, nearly all its log entries are in the database. */
const GRACE = 600_000;
/** One day more than the longest retention, because `prune` may delete an entry up to a day late. */
const MAX_DAYS = 31;
const MAX_HOURS = 1_000;

const BEGIN = statement<never>()`
  INSERT INTO request_counts_progress (counted_until) VALUES (${param.timestamptz('oldest')})
  ON CONFLICT (singleton) DO UPDATE SET counted_until = excluded.counted_until
  WHERE request_counts_progress.counted_until < excluded.counted_until`;

// Of several processes, only the first inserts counts: its UPDATE locks the row, and the others then find a later
// `counted_until`. After `RECOUNT`, an hour is counted again, and the new counts replace the old ones.
const COUNT_HOUR = statement<never>()`
  WITH turn AS (
    UPDATE request_counts_progress SET counted_until = ${param.timestamptz('to')}
    WHERE counted_until = ${param.timestamptz('from')} RETURNING 1)
  INSERT INTO request_counts (tenant_id, hour, application_id, key_id, route, status, code, requests)
  SELECT tenant_id, ${param.timestamptz('from')}, application_id, coalesce(key_id, ''), coalesce(route, ''), status,
    coalesce(code, ''), count(*)
  FROM request_log
  WHERE EXISTS (SELECT FROM turn) AND tenant_id IS NOT NULL AND request_id >= ${param.text('first')}
    AND request_id < ${param.text('end')} AND at >= ${param.timestamptz('from')} AND at < ${param.timestamptz('to')}
  GROUP BY 1, 3, 4, 5, 6, 7
  ON CONFLICT (tenant_id, hour, application_id, key_id, route, status, code) DO UPDATE SET requests = excluded.requests`;

const SKIP = statement<never>('request-counts-skip')`
  UPDATE request_counts_progress SET counted_until = ${param.timestamptz('to')}
  WHERE counted_until = ${param.timestamptz('from')}`;

const NEXT_ENTRY = statement<{ request_id: string }>('request-counts-next')`
  SELECT request_id FROM request_log WHERE request_id >= ${param.text('first')} ORDER BY request_id LIMIT 1`;

const RECOUNT = statement<never>('request-counts-recount')`
  UPDATE request_counts_progress SET counted_until = ${param.timestamptz('hour')}
  WHERE counted_until > ${param.timestamptz('hour')}`;

/** Counts the requests of past hours, at most `MAX_HOURS`, and returns their number. `signal` ends it after an hour. */
export async function countRequests(now: Date, signal?: AbortSignal): Promise<{ hours: number }> {
  const end = floorToHour(now.getTime() - GRACE);
  let until = await countedUntil();
  const oldest = new Date(floorToHour(now.getTime()).getTime() - MAX_DAYS * 24 * HOUR);
  if (!until || until < oldest) {
    await pool().query(bind(BEGIN, { oldest }));
    until = await countedUntil();
  }
  let hours = 0;
  while (until && until < end && hours < MAX_HOURS && !signal?.aborted) {
    const from = until;
    const next = await nextHour(from, end);
    if (next > from) {
      await pool().query(bind(SKIP, { from, to: next }));
    } else {
      const to = new Date(from.getTime() + HOUR);
      await pool().query(bind(COUNT_HOUR, { from, to, ...requestIdsBetween(from, to) }));
      hours += 1;
    }
    until = await countedUntil();
  }
  return { hours };
}

/** At most `end`. */
async function nextHour(from: Date, end: Date): Promise<Date> {
  const { rows } = await pool().query(bind(NEXT_ENTRY, { first: requestIdsFrom(from) }));
  const [next] = rows;
  if (!next) return end;
  const hour = floorToHour(Math.max(earliestTimeOf(next.request_id).getTime(), from.getTime()));
  return hour < end ? hour : end;
}

function floorToHour(milliseconds: number): Date {
  return new Date(Math.floor(milliseconds / HOUR) * HOUR);
}

/** Makes the next run count the hour of `oldest` and later hours again. Call this after writing log entries. */
export async function recountFrom(now: Date, oldest: Date): Promise<void> {
  if (oldest.getTime() > now.getTime() - GRACE / 2) return;
  const hour = floorToHour(oldest.getTime());
  await pool().query(bind(RECOUNT, { hour }));
}

/** Returns the time before which all requests are counted, or null if none have been counted yet. */
export async function countedUntil(): Promise<Date | null> {
  const { rows } = await pool().query<{ until: Date }>('SELECT counted_until AS until FROM request_counts_progress');
  return rows[0]?.until ?? null;
}

/**
 * Returns the whole hours between `from` and `to` (exclusive) that are counted in `request_counts`. The rest must be
 * read from the log. The range can be empty, at `from`. `until`: see `countedUntil`.
 */
export function countedHours(from: Date, to: Date, until: Date | null): { start: Date; end: Date } {
  const start = Math.ceil(from.getTime() / HOUR) * HOUR;
  const end = Math.min(until?.getTime() ?? 0, Math.floor(to.getTime() / HOUR) * HOUR);
  return start < end ? { start: new Date(start), end: new Date(end) } : { start: from, end: from };
}
