import { copyAudit } from '@/lib/activity/audit/file';
import { flushRefusedCalls } from '@/lib/activity/audit/refused-calls';
import { deliverMails } from '@/lib/activity/mail/deliver';
import { countJob } from '@/lib/activity/metrics/counters';
import { flushLog } from '@/lib/activity/request-log/buffer';
import { closeCopy } from '@/lib/activity/request-log/copy';
import { countRequests } from '@/lib/activity/request-log/counts';
import { completeVisits } from '@/lib/booking/bookings/auto-complete';
import { hashContacts } from '@/lib/booking/bookings/hash-contacts';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { fetchCalendars } from '@/lib/booking/calendars/job';
import { applyScheduledPrices } from '@/lib/booking/catalog/edit/scheduled-prices';
import { runErasures } from '@/lib/booking/customers/run-erasures';
import { emitThinEvents } from '@/lib/booking/thin-events/emit';
import { startPolling, stopPolling } from '@/lib/platform/cache/changes';
import { systemClock } from '@/lib/platform/clock';
import { isScheduler } from '@/lib/platform/cluster';
import { env, schedulerInUse, smtpSettings } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { holdLeases } from '@/lib/webhooks/lease-session';
import { systemSender } from '@/lib/webhooks/send';
import { startWorker, type Worker } from '@/lib/webhooks/worker';
import { watchSecrets } from './environment/secret-state';
import { deriveLocalTimes, watchRules } from './environment/zone-rules';
import { isStopping } from './health';
import { startMetrics } from './metrics/cluster';
import { queueNotices } from './notices';
import { prune } from './retention/prune';
import { prepareRequestLog } from './retention/request-log';
import { retryJob } from './retry-job';
import { makeExampleBookings } from './sandbox/example-bookings';
import { resetIfDue } from './sandbox/reset';

/** Milliseconds. */
const RESET_INTERVAL = 60_000;
/** Milliseconds, for each of the jobs `prune`, `partitions`, and `phones`. */
const PRUNE_INTERVAL = 3_600_000;
/** Milliseconds. Old servers write bookings without local times, and imports bring those of other time zone rules. */
const LOCAL_INTERVAL = 60_000;
const COUNT_INTERVAL = 300_000;
const AUDIT_INTERVAL = 10_000;
/** Milliseconds between two searches for bookings that start soon. */
const UPCOMING_INTERVAL = 30_000;
/** Milliseconds between two searches for visits to complete. */
const COMPLETION_INTERVAL = 60_000;
/** Milliseconds between two searches for prices whose date has come. */
const PRICE_INTERVAL = 1_000;
/** Milliseconds between two searches for changes that thin events tell. */
const THIN_INTERVAL = 1_000;
/** Milliseconds between two searches for erasures that an owner has requested, or that a kill has interrupted. */
const ERASURE_INTERVAL = 1_000;
/** Milliseconds between two searches for mails that are due. */
const MAIL_INTERVAL = 2_000;
/** Milliseconds between two searches for calendars that are due. */
const CALENDAR_INTERVAL = 10_000;
/** Milliseconds between two runs of the job `notices`. */
const NOTICE_INTERVAL = 600_000;

type Job = { stop: () => Promise<void> };
/** A long run ends early if `signal` is aborted. */
type Work = (now: Date, signal: AbortSignal) => Promise<unknown>;
type JobName =
  | 'partitions'
  | 'counts'
  | 'phones'
  | 'local_times'
  | 'calendars'
  | 'upcoming'
  | 'completions'
  | 'prices'
  | 'thin_events'
  | 'erasures'
  | 'audit_file'
  | 'mails'
  | 'notices'
  | 'reset'
  | 'examples'
  | 'prune';

let worker: Worker | null = null;
let jobs: Job[] = [];

/** Returns what webhook delivery depends on. */
export function deliveryDependencies(): DeliveryDependencies {
  return { sender: systemSender(), clock: systemClock, random: Math.random, draining: isStopping };
}

/** Starts the background tasks of this process. The scheduler also runs the jobs and, without Inngest, the worker. */
export function startBackground(): void {
  // First, so that they measure the event loop from the beginning.
  startMetrics();
  watchSecrets();
  watchRules();
  holdLeases();
  startPolling();
  if (!isScheduler()) return;
  jobs = [
    every(PRUNE_INTERVAL, 'partitions', prepareRequestLog),
    every(COUNT_INTERVAL, 'counts', countRequests),
    every(PRUNE_INTERVAL, 'phones', hashContacts),
    every(LOCAL_INTERVAL, 'local_times', deriveLocalTimes),
    every(UPCOMING_INTERVAL, 'upcoming', emitUpcoming),
    every(COMPLETION_INTERVAL, 'completions', completeVisits),
    every(PRICE_INTERVAL, 'prices', applyScheduledPrices),
    every(THIN_INTERVAL, 'thin_events', emitThinEvents),
    every(ERASURE_INTERVAL, 'erasures', runErasures),
    every(PRUNE_INTERVAL, 'prune', (now) => prune(now)),
    every(CALENDAR_INTERVAL, 'calendars', (_, signal) =>
      fetchCalendars(systemClock, { sender: systemSender(), random: Math.random }, signal),
    ),
  ];
  const { AUDIT_LOG_FILE } = env();
  if (AUDIT_LOG_FILE) jobs.push(every(AUDIT_INTERVAL, 'audit_file', (now) => copyAudit(now, AUDIT_LOG_FILE)));
  const smtp = smtpSettings();
  if (smtp)
    jobs.push(
      every(MAIL_INTERVAL, 'mails', (_, signal) => deliverMails(systemClock, smtp, signal)),
      every(NOTICE_INTERVAL, 'notices', queueNotices),
    );
  if (env().ENVIRONMENT === 'TEST')
    jobs.push(every(RESET_INTERVAL, 'reset', resetIfDue), every(RESET_INTERVAL, 'examples', makeExampleBookings));
  if (schedulerInUse() === 'embedded') worker = startWorker(deliveryDependencies());
}

/** The first run is immediate, because the job may have become due while no process was running. Runs do not overlap. */
function every(milliseconds: number, name: JobName, job: Work): Job {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const start = () => {
    running ??= run(name, job, stopping.signal).finally(() => {
      running = null;
    });
  };
  start();
  const timer = setInterval(start, milliseconds);
  return {
    stop: () => {
      clearInterval(timer);
      stopping.abort();
      return running ?? Promise.resolve();
    },
  };
}

async function run(name: JobName, job: Work, signal: AbortSignal): Promise<void> {
  const onRetry = (error: unknown) => log().warn({ err: error, job: name }, 'job will be retried');
  try {
    const result = await retryJob(() => job(systemClock(), signal), { signal, onRetry });
    countJob(name, 'done');
    log().debug({ job: name, result }, 'job done');
  } catch (error) {
    countJob(name, 'failed');
    log().error({ err: error, job: name }, 'job failed');
  }
}

/** Stops the background tasks. Resolves when the buffered log entries are written and their copy is closed. */
export async function stopBackground(): Promise<void> {
  await Promise.all([worker?.stop(), ...jobs.map((job) => job.stop())]);
  await Promise.all([flushLog(), flushRefusedCalls()]);
  await closeCopy();
  await stopPolling();
}
