import { type Aggregator, Gauge, type Registry } from 'prom-client';
import { bufferedEntries } from '@/lib/activity/request-log/buffer';
import { waitingForCopy } from '@/lib/activity/request-log/copy';
import { isFresh } from '@/lib/platform/cache/changes';
import { systemClock } from '@/lib/platform/clock';
import { isScheduler } from '@/lib/platform/cluster';
import { connectionCounts } from '@/lib/platform/db';
import { schedulerInUse } from '@/lib/platform/env';
import { release } from '@/lib/platform/release';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { lastBackup, lastDrill } from '../backup/age';
import { isDraining } from '../health';
import { readInngest } from '../inngest';
import { readBacklog } from './backlog';
import { readDeliveries, readRow } from './deliveries';
import { sharedReading } from './shared-reading';
import { registerReady, registerStates } from './state-gauges';

// The index request_log_tenant_id_at_status_idx finds the oldest entry of a tenant without reading others.
const OVERDUE = `
  SELECT COALESCE(GREATEST(0, max(EXTRACT(epoch FROM
    now() - t.request_log_days * interval '24 hours' - oldest.at))), 0)::float8 AS seconds
  FROM tenants t CROSS JOIN LATERAL (SELECT min(at) AS at FROM request_log WHERE tenant_id = t.id) AS oldest`;

function registerOverdue(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_request_log_overdue_seconds',
    help: 'Seconds by which the oldest request log entry of the deployment exceeds its retention; 0 if no entry does.',
    registers,
    async collect() {
      const found = await readRow<{ seconds: number }>('metrics-request-log', OVERDUE);
      if (found) this.set(found.seconds);
      else this.remove();
    },
  });
}

/** Milliseconds. Counting occupies the database for up to half a second, and `prune` changes it only once an hour. */
const BACKLOG_MAX_AGE = 60_000;

function registerBacklog(registers: Registry[]): void {
  const readShared = sharedReading(readBacklog, BACKLOG_MAX_AGE, systemClock);
  new Gauge({
    name: 'partner_booking_retention_backlog_rows',
    help: 'Rows whose retention ended more than two hours ago, in the whole deployment. Counting stops at 10,000 rows per kind or, for some kinds, per kind and tenant. Counted at most once a minute.',
    labelNames: ['kind'] as const,
    registers,
    async collect() {
      const found = await readShared();
      this.reset();
      for (const [kind, rows] of Object.entries(found ?? {})) this.set({ kind }, rows);
    },
  });
}

function registerBuild(registers: Registry[]): void {
  const { version, commit } = release();
  new Gauge({
    name: 'partner_booking_build_info',
    help: 'Always 1. The labels are the version and the commit that this instance runs. The commit is empty if it is not known.',
    labelNames: ['version', 'commit'] as const,
    registers,
    aggregator: 'max',
  }).set({ version, commit: commit ?? '' }, 1);
}

function registerZoneRules(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_time_zone_rules',
    help: 'Always 1. The label is the release of the time zone rules that this instance uses.',
    labelNames: ['version'] as const,
    registers,
    aggregator: 'max',
  }).set({ version: ZONE_RULES }, 1);
}

/** Registers the gauges that are read at a scrape. `aggregator` defines how the values of workers are combined. */
export function registerGauges(registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, aggregator: Aggregator, read: () => number) =>
    new Gauge({
      name: `partner_booking_${name}`,
      help,
      registers,
      aggregator,
      collect() {
        this.set(read());
      },
    });
  gauge(
    'cache_fresh',
    '1 while cache invalidations arrive. At 0, cached values are compared with the database every second.',
    'min',
    () => Number(isFresh()),
  );
  gauge('draining', '1 while the process is shutting down.', 'max', () => Number(isDraining()));
  gauge('request_log_buffered_lines', 'Request log entries that have not been written yet.', 'sum', bufferedEntries);
  new Gauge({
    name: 'partner_booking_request_log_copy_waiting_lines',
    help: 'Request log entries that wait to be written to the copy in a file; no value without a copy.',
    registers,
    collect() {
      const waiting = waitingForCopy();
      if (waiting === null) this.remove();
      else this.set(waiting);
    },
  });
  new Gauge({
    name: 'partner_booking_database_connections',
    help: 'This server’s database connections (busy, idle), and requests that are waiting for a connection.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { open, idle, waiting } = connectionCounts();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  registerReady(registers);
  // The following gauges describe the whole deployment, so only one of several workers reads them.
  if (!isScheduler()) return;
  registerDeliveries(registers);
  registerInngest(registers);
  registerBuild(registers);
  registerZoneRules(registers);
  registerOverdue(registers);
  registerBacklog(registers);
  registerMails(registers);
  registerBackup(registers);
  registerStates(registers);
}

function registerBackup(registers: Registry[]): void {
  registerAge(registers, lastBackup, {
    name: 'partner_booking_backup_age_seconds',
    help: 'Age of the newest backup that npm run backup completed; no value if none is recorded.',
  });
  registerAge(registers, lastDrill, {
    name: 'partner_booking_backup_drill_age_seconds',
    help: 'Age of the newest npm run drill that succeeded; no value if none is recorded.',
  });
}

function registerAge(registers: Registry[], last: () => Promise<Date | null>, named: { name: string; help: string }) {
  new Gauge({
    ...named,
    registers,
    async collect() {
      const at = await last().catch(() => null);
      if (at) this.set(Math.max(0, (systemClock().getTime() - at.getTime()) / 1_000));
      else this.remove();
    },
  });
}

const MAILS = `
  SELECT coalesce(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
  FROM mails WHERE next_attempt_at IS NOT NULL`;

function registerMails(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_mails_waiting_seconds',
    help: 'Age of the oldest mail that waits for the mail server, in the whole deployment; 0 if none waits.',
    registers,
    async collect() {
      const found = await readRow<{ seconds: number }>('metrics-mails', MAILS);
      if (found) this.set(found.seconds);
      else this.remove();
    },
  });
}

function registerDeliveries(registers: Registry[]): void {
  // Both gauges of this function are read at the same time, so they share one query.
  const readShared = sharedReading(readDeliveries, 0, systemClock);
  new Gauge({
    name: 'partner_booking_deliveries',
    help: 'Deliveries in the whole deployment that are waiting for an attempt, or are held while the endpoint is not active.',
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const found = await readShared();
      this.reset();
      if (!found) return;
      this.set({ state: 'waiting' }, found.waiting);
      this.set({ state: 'held' }, found.held);
    },
  });
  new Gauge({
    name: 'partner_booking_delivery_lag_seconds',
    help: 'Seconds that the oldest delivery of an active endpoint that is not failing is overdue, in the whole deployment.',
    registers,
    async collect() {
      const found = await readShared();
      if (found) this.set(found.lag);
      else this.remove();
    },
  });
}

function registerInngest(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_inngest_registered',
    help: '1 while Inngest has the functions of the deployment and accepts events; no value if Inngest is not used.',
    registers,
    async collect() {
      const used = schedulerInUse() === 'inngest';
      const found = used ? await readInngest(systemClock()).catch(() => null) : null;
      if (found) this.set(Number(found.registered));
      else this.remove();
    },
  });
}
