import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, cancelBooking, createBooking, rescheduleBooking } from '@/lib/contract/operations';
import { env } from '@/lib/platform/env';
import { singleton } from '@/lib/platform/singleton';

/** Seconds. A typical read takes 1 to 2 ms, a typical write about 10 ms, and no write more than 8 s (contract B8). */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds. An attempt takes at most 15 s (contract B11). */
const ATTEMPT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

// Each value of a label adds a time series, so labels must not contain ids, names, or addresses.
function create() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `partner_booking_${name}_total`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, buckets: number[], ...labelNames: Label[]) =>
    new Histogram({ name: `partner_booking_${name}_duration_seconds`, help, buckets, labelNames, registers });
  return {
    registry,
    requests: histogram(
      'request',
      'Duration of partner requests, by route and status class.',
      REQUEST_BUCKETS,
      'method',
      'route',
      'status',
    ),
    refusals: counter('refusals', 'Refused partner requests, by error code and reason.', 'code', 'reason'),
    shed: counter(
      'shed_requests',
      'Requests refused with 503 because too much work was in flight, by gate: application (partner requests) or page (pages of the Control Center and /docs).',
      'gate',
    ),
    replays: counter('replays', 'Writes that replayed a stored response.'),
    changes: counter('changes', 'Booking changes, by change and actor (partner or owner).', 'change', 'actor'),
    attempts: histogram(
      'webhook_attempt',
      'Duration of webhook attempts, by result: succeeded, or the reason for the failure.',
      ATTEMPT_BUCKETS,
      'result',
    ),
    unwrittenEntries: counter(
      'request_log_unwritten_lines',
      'Request log entries that were written to standard error instead of the database.',
    ),
    unloggedRefusals: counter(
      'unlogged_refusals',
      'Refusals without a request log entry, because the address exceeded its failure quota.',
    ),
    signIns: counter('sign_ins', 'Sign-ins to the Control Center, by outcome.', 'outcome'),
    mails: counter(
      'mails',
      'Attempts to send a mail to a member, by result: sent, retried (sent again later), or failed (given up).',
      'result',
    ),
    jobs: counter('jobs', 'Job runs of the embedded worker in this process, by job and result.', 'job', 'result'),
  };
}

/** Returns this process's metrics, or null without `METRICS_TOKEN`. */
export function counters(): ReturnType<typeof create> | null {
  return singleton('metrics', () => (env().METRICS_TOKEN ? create() : null));
}

/** `route` is null if there is no such route. `begun` has the unit and origin of `performance.now()`. */
type Counted = { method: string; route: string | null; begun: number };

/** Counts a response to a partner and records its duration. */
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

const CHANGES: Record<string, BookingChange> = {
  [BASE_PATH + createBooking.path]: 'created',
  [BASE_PATH + rescheduleBooking.path]: 'rescheduled',
  [BASE_PATH + cancelBooking.path]: 'cancelled',
};

type BookingChange = 'created' | 'rescheduled' | 'cancelled' | 'completed' | 'no_show' | 'reopened';

/** Counts a partner's successful write as the change of its route, or as a replay. */
export function countWrite(route: string | null, replayed: boolean): void {
  if (replayed) counters()?.replays.inc();
  else if (route && CHANGES[route]) counters()?.changes.inc({ change: CHANGES[route], actor: 'partner' });
}

/** Counts an owner's change to a booking. */
export function countOwnerChange(change: BookingChange): void {
  counters()?.changes.inc({ change, actor: 'owner' });
}

/** Counts a webhook attempt. `error` is null if it succeeded. */
export function countAttempt(error: string | null, milliseconds: number): void {
  counters()?.attempts.observe({ result: error ?? 'succeeded' }, milliseconds / 1000);
}

/** Counts a request that was refused because too many were in progress. */
export function countShed(gate: 'application' | 'page'): void {
  counters()?.shed.inc({ gate });
}

/** Counts log entries that could not be written to the database. */
export function countUnwrittenEntries(entries: number): void {
  counters()?.unwrittenEntries.inc(entries);
}

/** Counts a refusal for which no log entry is written. */
export function countUnloggedRefusal(): void {
  counters()?.unloggedRefusals.inc();
}

/** Counts a job run. */
export function countJob(job: string, result: 'done' | 'failed'): void {
  counters()?.jobs.inc({ job, result });
}

/** Counts attempts to send a mail. */
export function countMail(result: 'sent' | 'retried' | 'failed', count = 1): void {
  counters()?.mails.inc({ result }, count);
}
