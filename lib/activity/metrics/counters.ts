import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, cancelBooking, createBooking, rescheduleBooking } from '@/lib/contract/operations';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** Seconds. A read takes one or two milliseconds, a write ten; nothing may take longer than the last (contract B8). */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds. An attempt may take 15 (contract B11). */
const ATTEMPT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

// Every label is one of a few fixed words: a route's pattern, a code of the table. No id, name or address ever is one.
function create() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requests: new Histogram({
      name: 'partner_booking_request_duration_seconds',
      help: 'Time from a partner request to its answer, by route and class of status.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    refusals: new Counter({
      name: 'partner_booking_refusals_total',
      help: 'Partner requests that were refused, by code and reason of the error table.',
      labelNames: ['code', 'reason'] as const,
      registers,
    }),
    replays: new Counter({
      name: 'partner_booking_replays_total',
      help: 'Writes that were answered with the stored answer of an earlier one.',
      registers,
    }),
    changes: new Counter({
      name: 'partner_booking_changes_total',
      help: 'Changes of bookings, by what was done and by whom (partner or owner).',
      labelNames: ['change', 'actor'] as const,
      registers,
    }),
    attempts: new Histogram({
      name: 'partner_booking_webhook_attempt_duration_seconds',
      help: 'Time of attempts to deliver a webhook, by result: succeeded, or why not.',
      labelNames: ['result'] as const,
      buckets: ATTEMPT_BUCKETS,
      registers,
    }),
    unwrittenLines: new Counter({
      name: 'partner_booking_request_log_unwritten_lines_total',
      help: 'Lines of the request log that went to standard error instead of the database.',
      registers,
    }),
    jobs: new Counter({
      name: 'partner_booking_jobs_total',
      help: 'Runs of the jobs of the embedded worker in this process, by job and result.',
      labelNames: ['job', 'result'] as const,
      registers,
    }),
  };
}

/** Returns what this process counts in, or null when nobody may ask for it (METRICS_TOKEN is unset): then nothing is counted. */
export function counters(): ReturnType<typeof create> | null {
  return singleton('metrics', () => (env().METRICS_TOKEN ? create() : null));
}

/** What is counted of a request; `route` is the pattern of a known route. */
type Counted = { method: string; route: string | null; begun: number };

/** Counts an answer to a partner and how long it took. */
export function countRequest({ method, route, begun }: Counted, status: number, error: AppError | null): void {
  const current = counters();
  if (!current) return;
  const labels = {
    method: method === 'GET' || method === 'POST' ? method : 'other',
    route: route ?? 'unknown',
    status: `${Math.trunc(status / 100)}xx`,
  };
  current.requests.observe(labels, (performance.now() - begun) / 1000);
  if (error) current.refusals.inc({ code: error.code, reason: error.reason ?? '' });
}

/** What each route of a write does, as the metrics say it. */
const CHANGES: Record<string, BookingChange> = {
  [BASE_PATH + createBooking.path]: 'created',
  [BASE_PATH + rescheduleBooking.path]: 'rescheduled',
  [BASE_PATH + cancelBooking.path]: 'cancelled',
};

type BookingChange = 'created' | 'rescheduled' | 'cancelled' | 'completed' | 'no_show';

/** Counts a change that a partner made on this route, or the replay of one. */
export function countWrite(route: string | null, replayed: boolean): void {
  if (replayed) counters()?.replays.inc();
  else if (route && CHANGES[route]) counters()?.changes.inc({ change: CHANGES[route], actor: 'partner' });
}

/** Counts a change that the owner made. */
export function countOwnerChange(change: BookingChange): void {
  counters()?.changes.inc({ change, actor: 'owner' });
}

/**
 * Counts an attempt to deliver a webhook.
 * @param error the word of why it failed, null when it succeeded.
 */
export function countAttempt(error: string | null, milliseconds: number): void {
  counters()?.attempts.observe({ result: error ?? 'succeeded' }, milliseconds / 1000);
}

/** Counts lines of the request log that the database did not take. */
export function countUnwrittenLines(lines: number): void {
  counters()?.unwrittenLines.inc(lines);
}

/** Counts a run of a job. */
export function countJob(job: 'reset' | 'prune', result: 'done' | 'failed'): void {
  counters()?.jobs.inc({ job, result });
}
