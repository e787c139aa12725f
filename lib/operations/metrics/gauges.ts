import { statfs } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { type Aggregator, Gauge, type Registry } from 'prom-client';
import { bufferedEntries } from '@/lib/activity/request-log/buffer';
import { isFresh } from '@/lib/platform/cache';
import { isScheduler } from '@/lib/platform/cluster';
import { connectionCounts } from '@/lib/platform/db';
import { env, schedulerInUse } from '@/lib/platform/env';
import { release } from '@/lib/platform/release';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { activeSql } from '@/lib/webhooks/active';
import { lastBackup, lastDrill } from '../backup/age';
import { checkHealth, isDraining } from '../health';
import { readInngest } from '../inngest';
import { readBacklog } from './backlog';
import { readDeliveries, readRow } from './deliveries';

/** Milliseconds. Counting occupies the database for up to half a second, and `prune` changes it only once an hour. */
const BACKLOG_MAX_AGE = 60_000;
/** Days. Less than the last but one notice of a key's end, so that its owner has had time to replace it. */
const EXPIRING_DAYS = 7;

// The index request_log_tenant_id_at_status_idx finds the oldest entry of a tenant without reading others.
const OVERDUE = `
  SELECT COALESCE(GREATEST(0, max(EXTRACT(epoch FROM
    now() - t.request_log_days * interval '24 hours' - oldest.at))), 0)::float8 AS seconds
  FROM tenants t CROSS JOIN LATERAL (SELECT min(at) AS at FROM request_log WHERE tenant_id = t.id) AS oldest`;

const MAILS = `
  SELECT coalesce(EXTRACT(epoch FROM now() - min(created_at)), 0)::float8 AS seconds
  FROM mails WHERE next_attempt_at IS NOT NULL`;

// A rotated key ends as planned, so nobody needs to know. The same holds for keys of whoever is suspended.
const KEYS = `
  SELECT count(*) FILTER (WHERE end_at IS NULL OR end_at > now() + interval '${EXPIRING_DAYS} days')::float8 AS valid,
    count(*) FILTER (WHERE end_at > now() AND end_at <= now() + interval '${EXPIRING_DAYS} days')::float8 AS expiring,
    count(*) FILTER (WHERE end_at <= now() AND end_at > now() - interval '${EXPIRING_DAYS} days')::float8 AS expired
  FROM (SELECT k.expires_at AS end_at
    FROM api_keys k JOIN applications a ON a.id = k.application_id JOIN tenants t ON t.id = a.tenant_id
    WHERE k.revoked_at IS NULL AND k.rotated_to_id IS NULL
      AND a.suspended_at IS NULL AND t.suspended_at IS NULL) AS key`;

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE active AND NOT failing)::float8 AS working,
    count(*) FILTER (WHERE active AND failing)::float8 AS failing,
    count(*) FILTER (WHERE NOT active AND state <> 'disabled')::float8 AS held,
    count(*) FILTER (WHERE state = 'disabled')::float8 AS disabled
  FROM (SELECT e.state, e.failing, ${activeSql('e', 'a')} AS active
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoint`;

// `restart_lsn` is null for a slot that keeps no log: one that was never used, or one that is lost.
const SLOTS = `
  SELECT count(*) FILTER (WHERE active)::float8 AS active,
    count(*) FILTER (WHERE NOT active AND wal_status IS DISTINCT FROM 'lost')::float8 AS inactive,
    count(*) FILTER (WHERE wal_status = 'lost')::float8 AS lost,
    coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8 AS bytes
  FROM pg_replication_slots`;

/** Of a gauge, or of each value of its label. Null: it has no value now. */
type Reading = number | Record<string, number> | null | undefined;

/** `aggregator`: how the values of workers are combined. `label`: whose values `read` returns. Default: `state`. */
type Options = { aggregator?: Aggregator; label?: string };

/** Registers the gauges that are read at a scrape. A gauge that cannot be read has no value, and all others have theirs. */
export function registerGauges(registry: Registry): void {
  const registers = [registry];
  const gauge = (
    name: string,
    help: string,
    read: () => Reading | Promise<Reading>,
    { aggregator, label }: Options = {},
  ) =>
    new Gauge({
      name: `partner_booking_${name}`,
      help,
      registers,
      ...(aggregator && { aggregator }),
      ...(label && { labelNames: [label] }),
      async collect() {
        const found = await Promise.resolve()
          .then(read)
          .catch(() => null);
        if (label) this.reset();
        if (typeof found === 'number') this.set(found);
        else if (!label) this.remove();
        else for (const [value, count] of Object.entries(found ?? {})) this.set({ [label]: value }, count);
      },
    });
  gauge(
    'cache_fresh',
    '1 while cache invalidations arrive. At 0, cached values are compared with the database every second.',
    () => Number(isFresh()),
    { aggregator: 'min' },
  );
  gauge('draining', '1 while the process is shutting down.', () => Number(isDraining()), { aggregator: 'max' });
  gauge('request_log_buffered_lines', 'Request log entries that have not been written yet.', bufferedEntries);
  gauge(
    'database_connections',
    'This server’s database connections (busy, idle), and requests that are waiting for a connection.',
    () => {
      const { open, idle, waiting } = connectionCounts();
      return { busy: open - idle, idle, waiting };
    },
    { label: 'state' },
  );
  gauge(
    'ready',
    '1 while /api/health reports that the instance is ready. 0 also while it is shutting down.',
    async () => Number((await checkHealth()) === 'ok'),
    { aggregator: 'min' },
  );
  // The following gauges describe the whole deployment, so only one of several workers reads them.
  if (!isScheduler()) return;
  const { version, commit } = release();
  new Gauge({
    name: 'partner_booking_build_info',
    help: 'Always 1. The labels are the version and the commit that this instance runs. The commit is empty if it is not known.',
    labelNames: ['version', 'commit'] as const,
    registers,
    aggregator: 'max',
  }).set({ version, commit: commit ?? '' }, 1);
  gauge(
    'time_zone_rules',
    'Always 1. The label is the release of the time zone rules that this instance uses.',
    () => ({ [ZONE_RULES]: 1 }),
    { aggregator: 'max', label: 'version' },
  );
  const deliveries = shared(readDeliveries);
  gauge(
    'deliveries',
    'Deliveries in the whole deployment that are waiting for an attempt, or are held while the endpoint is not active.',
    async () => {
      const found = await deliveries();
      return found && { waiting: found.waiting, held: found.held };
    },
    { label: 'state' },
  );
  gauge(
    'delivery_lag_seconds',
    'Seconds that the oldest delivery of an active endpoint that is not failing is overdue, in the whole deployment.',
    async () => (await deliveries())?.lag,
  );
  gauge(
    'inngest_registered',
    '1 while Inngest has the functions of the deployment and accepts events; no value if Inngest is not used.',
    async () => (schedulerInUse() === 'inngest' ? Number((await readInngest(new Date())).registered) : null),
  );
  gauge(
    'request_log_overdue_seconds',
    'Seconds by which the oldest request log entry of the deployment exceeds its retention; 0 if no entry does.',
    async () => (await readRow<{ seconds: number }>('metrics-request-log', OVERDUE))?.seconds,
  );
  gauge(
    'retention_backlog_rows',
    'Rows whose retention ended more than two hours ago, in the whole deployment. Counting stops at 10,000 rows per kind or, for some kinds, per kind and tenant. Counted at most once a minute.',
    shared(readBacklog, BACKLOG_MAX_AGE),
    { label: 'kind' },
  );
  gauge(
    'mails_waiting_seconds',
    'Age of the oldest mail that waits for the mail server, in the whole deployment; 0 if none waits.',
    async () => (await readRow<{ seconds: number }>('metrics-mails', MAILS))?.seconds,
  );
  gauge(
    'backup_age_seconds',
    'Age of the newest backup that npm run backup completed; no value if none is recorded.',
    async () => secondsSince(await lastBackup()),
  );
  gauge(
    'backup_drill_age_seconds',
    'Age of the newest npm run drill that succeeded; no value if none is recorded.',
    async () => secondsSince(await lastDrill()),
  );
  // States that somebody must change before partners notice them.
  gauge(
    'api_keys',
    'Keys in the whole deployment that no rotation has replaced: valid, expiring within seven days, or expired within the last seven days.',
    () => readRow<Record<'valid' | 'expiring' | 'expired', number>>('metrics-keys', KEYS),
    { label: 'state' },
  );
  gauge(
    'webhook_endpoints',
    'Endpoints in the whole deployment: working, failing since their last attempt, held (paused, or the application is not active), or disabled.',
    () => readRow<Record<'working' | 'failing' | 'held' | 'disabled', number>>('metrics-endpoints', ENDPOINTS),
    { label: 'state' },
  );
  const slots = shared(() => readRow<Record<'active' | 'inactive' | 'lost' | 'bytes', number>>('metrics-slots', SLOTS));
  gauge(
    'replication_slots',
    'Replication slots of the primary: active (a standby is connected), inactive, or lost (the standby must be set up again).',
    async () => {
      const { bytes: _, ...states } = (await slots()) ?? {};
      return states as Record<string, number>;
    },
    { label: 'state' },
  );
  gauge(
    'replication_slot_bytes',
    'Bytes of the log that PostgreSQL keeps for the slowest replication slot; 0 without slots.',
    async () => (await slots())?.bytes,
  );
  gauge('data_dir_free_bytes', 'Free bytes on the disk of DATA_DIR; no value if it cannot be read.', async () => {
    const path = env().DATA_DIR;
    if (!path) return null;
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  });
}

/** Returns a function that shares a result of `read` for `ttl` milliseconds: gauges that are read together share a query. */
function shared<T extends object>(read: () => Promise<T | null>, ttl = 1): () => Promise<T | undefined> {
  const cache = new LRUCache<'', T>({ max: 1, ttl, fetchMethod: async () => (await read()) ?? undefined });
  return () => cache.fetch('');
}

const secondsSince = (at: Date | null) => at && Math.max(0, (Date.now() - at.getTime()) / 1_000);
