import { activeSql } from '@/lib/webhooks/active';
import { readRow } from './deliveries';

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

export const KEY_STATES = ['valid', 'expiring', 'expired'] as const;

/** The numbers of keys without a successor, by state. `expired`: within the last seven days. */
type Keys = Record<(typeof KEY_STATES)[number], number>;

/** Counts the keys of the whole deployment, or returns null while the database is slow or unavailable. */
export async function readKeys(): Promise<Keys | null> {
  return readRow<Keys>('metrics-keys', KEYS);
}

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE active AND NOT failing)::float8 AS working,
    count(*) FILTER (WHERE active AND failing)::float8 AS failing,
    count(*) FILTER (WHERE NOT active AND state <> 'disabled')::float8 AS held,
    count(*) FILTER (WHERE state = 'disabled')::float8 AS disabled
  FROM (SELECT e.state, e.failing, ${activeSql('e', 'a')} AS active
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoint`;

export const ENDPOINT_STATES = ['working', 'failing', 'held', 'disabled'] as const;

/** The numbers of endpoints by state. `held`: paused, or without an active application. */
type Endpoints = Record<(typeof ENDPOINT_STATES)[number], number>;

/** Counts the endpoints of the whole deployment, or returns null while the database is slow or unavailable. */
export async function readEndpoints(): Promise<Endpoints | null> {
  return readRow<Endpoints>('metrics-endpoints', ENDPOINTS);
}

// `restart_lsn` is null for a slot that keeps no log: one that was never used, or one that is lost.
const SLOTS = `
  SELECT count(*) FILTER (WHERE active)::float8 AS active,
    count(*) FILTER (WHERE NOT active AND wal_status IS DISTINCT FROM 'lost')::float8 AS inactive,
    count(*) FILTER (WHERE wal_status = 'lost')::float8 AS lost,
    coalesce(max(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 0)::float8 AS bytes
  FROM pg_replication_slots`;

export const SLOT_STATES = ['active', 'inactive', 'lost'] as const;

/** The numbers of replication slots by state. `bytes`: of the log that the slowest slot keeps. */
type Slots = Record<(typeof SLOT_STATES)[number] | 'bytes', number>;

/** Counts the replication slots of the primary, or returns null while the database is slow or unavailable. */
export async function readSlots(): Promise<Slots | null> {
  return readRow<Slots>('metrics-slots', SLOTS);
}
