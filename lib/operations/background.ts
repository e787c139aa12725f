import { flushRefusedCalls } from '@/lib/activity/audit/refused-calls';
import { copyAudit, copyRequests } from '@/lib/activity/log-files';
import { countJob } from '@/lib/activity/metrics/counters';
import { flushLog } from '@/lib/activity/request-log/buffer';
import { countRequests } from '@/lib/activity/request-log/counts';
import { completeVisits } from '@/lib/booking/bookings/auto-complete';
import { hashContacts } from '@/lib/booking/bookings/hash-contacts';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { fetchCalendars } from '@/lib/booking/calendars/job';
import { applyScheduledPrices } from '@/lib/booking/catalog/edit/scheduled-prices';
import { runErasures } from '@/lib/booking/customers/run-erasures';
import { emitThinEvents } from '@/lib/booking/thin-events/emit';
import { startPolling, stopPolling } from '@/lib/platform/cache';
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

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

type Job = { stop: () => Promise<void> };
/** A long run ends early if `signal` is aborted. */
type Work = (now: Date, signal: AbortSignal) => Promise<unknown>;
let worker: Worker | null = null;
let jobs: Job[] = [];

/** Returns what webhook delivery depends on. */
export function deliveryDependencies(): DeliveryDependencies {
  return { sender: systemSender(), clock: () => new Date(), random: Math.random, draining: isStopping };
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
    every(HOUR, 'partitions', prepareRequestLog),
    every(5 * MINUTE, 'counts', countRequests),
    every(HOUR, 'phones', hashContacts),
    // Imports bring bookings of other time zone rules.
    every(MINUTE, 'local_times', deriveLocalTimes),
    every(30 * SECOND, 'upcoming', emitUpcoming),
    every(MINUTE, 'completions', completeVisits),
    every(SECOND, 'prices', applyScheduledPrices),
    every(SECOND, 'thin_events', emitThinEvents),
    every(SECOND, 'erasures', runErasures),
    every(HOUR, 'prune', (now) => prune(now)),
    every(10 * SECOND, 'calendars', (_, signal) =>
      fetchCalendars(() => new Date(), { sender: systemSender(), random: Math.random }, signal),
    ),
  ];
  const { AUDIT_LOG_FILE, REQUEST_LOG_FILE } = env();
  if (AUDIT_LOG_FILE) jobs.push(every(10 * SECOND, 'audit_file', (now) => copyAudit(now, AUDIT_LOG_FILE)));
  if (REQUEST_LOG_FILE) jobs.push(every(10 * SECOND, 'request_file', (now) => copyRequests(now, REQUEST_LOG_FILE)));
  const smtp = smtpSettings();
  if (smtp)
    jobs.push(
      every(2 * SECOND, 'mails', async (_, signal) => {
        // Only deployments with mails need this module.
        const { deliverMails } = await import('@/lib/activity/mail/deliver');
        return deliverMails(() => new Date(), smtp, signal);
      }),
      every(10 * MINUTE, 'notices', queueNotices),
    );
  if (env().ENVIRONMENT === 'TEST')
    jobs.push(every(MINUTE, 'reset', resetIfDue), every(MINUTE, 'examples', makeExampleBookings));
  if (schedulerInUse() === 'embedded') worker = startWorker(deliveryDependencies());
}

/** The first run is immediate, because the job may have become due while no process was running. Runs do not overlap. */
function every(milliseconds: number, name: string, job: Work): Job {
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

async function run(name: string, job: Work, signal: AbortSignal): Promise<void> {
  const onRetry = (error: unknown) => log().warn({ err: error, job: name }, 'job will be retried');
  try {
    const result = await retryJob(() => job(new Date(), signal), { signal, onRetry });
    countJob(name, 'done');
    log().debug({ job: name, result }, 'job done');
  } catch (error) {
    countJob(name, 'failed');
    log().error({ err: error, job: name }, 'job failed');
  }
}

/** Stops the background tasks. Resolves when the buffered log entries are written. */
export async function stopBackground(): Promise<void> {
  await Promise.all([worker?.stop(), ...jobs.map((job) => job.stop())]);
  await Promise.all([flushLog(), flushRefusedCalls()]);
  await stopPolling();
}
