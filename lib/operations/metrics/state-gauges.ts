import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { activeSql } from '@/lib/webhooks/active';
import { checkHealth } from '../health';
import { readRow } from './deliveries';
import { sharedReading } from './shared-reading';

/** Days. Less than the last but one notice of a key's end, so that its owner has had time to replace it. */
const EXPIRING_DAYS = 7;

// A rotated key ends as planned, so nobody needs to know. The same holds for keys of whoever is suspended.
const KEYS = `
  SELECT count(*) FILTER (WHERE end_at IS NULL OR end_at > now() + interval '${EXPIRING_DAYS} days')::float8 AS valid,
    count(*) FILTER (WHERE end_at > now() AND end_at <= now() + interval '${EXPIRING_DAYS} days')::float8 AS expiring,
    count(*) FILTER (WHERE end_at <= now() AND end_at > now() - interval '${EXPIRING_DAYS} days')::float8 AS expired
  FROM (SELECT k.expires_at AS end_at
    FROM api_keys k JOIN applications a ON a.id = k.application_id JOIN tenants t ON t.id = a.tenant_id
    WHERE k.revoked_at IS NULL AND k.rotated_to_id IS NULL
      AND a.suspended_at IS NULL AND t.suspended_at IS NULL) AS key`;

const KEY_STATES = ['valid', 'expiring', 'expired'] as const;

/** The numbers of keys without a successor, by state. `expired`: within the last seven days. */
type Keys = Record<(typeof KEY_STATES)[number], number>;

/** Counts the keys of the whole deployment, or returns null while the database is slow or unavailable. */
async function readKeys(): Promise<Keys | null> {
  return readRow<Keys>('metrics-keys', KEYS);
}

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE active AND NOT failing)::float8 AS working,
    count(*) FILTER (WHERE active AND failing)::float8 AS failing,
    count(*) FILTER (WHERE NOT active AND state <> 'disabled')::float8 AS held,
    count(*) FILTER (WHERE state = 'disabled')::float8 AS disabled
  FROM (SELECT e.state, e.failing, ${activeSql('e', 'a')} AS active
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoint`;

const ENDPOINT_STATES = ['working', 'failing', 'held', 'disabled'] as const;

/** The numbers of endpoints by state. `held`: paused, or without an active application. */
type Endpoints = Record<(typeof ENDPOINT_STATES)[number], number>;

/** Counts the endpoints of the whole deployment, or returns null while the database is slow or unavailable. */
async function readEndpoints(): Promise<Endpoints | null> {
  return readRow<Endpoints>('metrics-endpoints', ENDPOINTS);
}

// `restart_lsn` is null for a slot that keeps no log: one that was never used, or one that is lost.
const SLOTS = `
  SELECT count(*) FILTER (WHERE active)::float8 AS active,
    count(*) FILTER (WHERE NOT active AND wal_status IS DISTINCT FROM 'lost')::float8 AS inactive,
    count(*) FILTER (WHERE wal_status = 'lost')::float8 AS lost,
    coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8 AS bytes
  FROM pg_replication_slots`;

const SLOT_STATES = ['active', 'inactive', 'lost'] as const;

/** The numbers of replication slots by state. `bytes`: of the log that the slowest slot keeps. */
type Slots = Record<(typeof SLOT_STATES)[number] | 'bytes', number>;

/** Counts the replication slots of the primary, or returns null while the database is slow or unavailable. */
async function readSlots(): Promise<Slots | null> {
  return readRow<Slots>('metrics-slots', SLOTS);
}

/** Registers the gauge of the readiness of this process. */
export function registerReady(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_ready',
    help: '1 while /api/health reports that the instance is ready. 0 also while it is shutting down.',
    registers,
    aggregator: 'min',
    async collect() {
      this.set(Number((await checkHealth()) === 'ok'));
    },
  });
}

/** Registers the gauges of states that somebody must change before partners notice them. */
export function registerStates(registers: Registry[]): void {
  registerCounts(
    registers,
    'partner_booking_api_keys',
    'Keys in the whole deployment that no rotation has replaced: valid, expiring within seven days, or expired within the last seven days.',
    KEY_STATES,
    readKeys,
  );
  registerCounts(
    registers,
    'partner_booking_webhook_endpoints',
    'Endpoints in the whole deployment: working, failing since their last attempt, held (paused, or the application is not active), or disabled.',
    ENDPOINT_STATES,
    readEndpoints,
  );
  registerSlots(registers);
  registerDisk(registers);
}

function registerCounts<State extends string>(
  registers: Registry[],
  name: string,
  help: string,
  states: readonly State[],
  read: () => Promise<Record<State, number> | null>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const found = await read();
      this.reset();
      if (found) for (const state of states) this.set({ state }, found[state]);
    },
  });
}

function registerSlots(registers: Registry[]): void {
  // Both gauges of this function are read at the same time, so they share one query.
  const readShared = sharedReading(readSlots, 0, systemClock);
  registerCounts(
    registers,
    'partner_booking_replication_slots',
    'Replication slots of the primary: active (a standby is connected), inactive, or lost (the standby must be set up again).',
    SLOT_STATES,
    readShared,
  );
  new Gauge({
    name: 'partner_booking_replication_slot_bytes',
    help: 'Bytes of the log that PostgreSQL keeps for the slowest replication slot; 0 without slots.',
    registers,
    async collect() {
      const found = await readShared();
      if (found) this.set(found.bytes);
      else this.remove();
    },
  });
}

function registerDisk(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_data_dir_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR; no value if it cannot be read.',
    registers,
    async collect() {
      const path = env().DATA_DIR;
      const found = path ? await statfs(path).catch(() => null) : null;
      if (found) this.set(found.bavail * found.bsize);
      else this.remove();
    },
  });
}
