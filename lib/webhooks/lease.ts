import type pg from 'pg';
import { pool } from '@/lib/platform/db';
import { ATTEMPT_START_LOCK } from '@/lib/platform/locks';
import { activeSql } from './active';
import { openSecret } from './secrets';

/** Milliseconds that an attempt has its delivery to itself: longer than any attempt takes. */
const LEASE = 30_000;

/** Attempts under way for one endpoint, in all processes together. */
export const MAX_PER_ENDPOINT = 4;

/** An attempt that was begun: committed, and nobody else's until its lease ends. */
export type Lease = {
  deliveryId: string;
  applicationId: string;
  tenantId: string;
  eventId: string;
  payload: string;
  url: string;
  attempt: number;
  kind: 'scheduled' | 'manual';
  /** Attempts of the schedule made before. */
  scheduledAttempts: number;
  test: boolean;
  startedAt: Date;
  secrets: string[];
};

type Row = Omit<Lease, 'secrets' | 'startedAt'> & { sealed: { number: number; sealed: string }[] };

/** SQL that tells whether a delivery `d` is due at `$1` and no attempt of it is under way. */
export const FREE = 'd.due_at <= $1 AND (d.leased_until IS NULL OR d.leased_until <= $1)';

/** Attempts of one process that only endpoints without one under way may begin: slow receivers never hold them all. */
const RESERVED = 16;

// Endpoints with room, then their deliveries, oldest first, each on its own index: one with many waiting costs no more
// than one with few. Who fails gets one attempt at a time. Tests come first, since somebody is watching, then whoever has
// least under way: receivers that take their time delay each other, and nobody else.
const DUE = `
  WITH room AS (
    SELECT application_id, active, under_way, CASE WHEN failing THEN 1 ELSE $2::int END - under_way AS free FROM (
      SELECT e.application_id, e.failing, ${activeSql('e', 'a')} AS active, (
        SELECT count(*) FROM deliveries l WHERE l.application_id = e.application_id AND l.leased_until > $1)::int AS under_way
      FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id) AS endpoints),
  waiting AS (
    SELECT due.id, due.due_at, room.under_way + due.place AS turn FROM room CROSS JOIN LATERAL (
      SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM deliveries d
      WHERE d.application_id = room.application_id AND NOT d.test AND ${FREE}
      ORDER BY d.due_at, d.id LIMIT GREATEST(room.free, 0)) AS due
    WHERE room.active
    UNION ALL
    SELECT due.id, due.due_at, 0 FROM room CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM deliveries d WHERE d.application_id = room.application_id AND d.test AND ${FREE}
      LIMIT 4) AS due),
  chosen AS (
    SELECT id FROM (SELECT id, turn, row_number() OVER (ORDER BY turn, due_at, id) AS nth FROM waiting) AS ordered
    WHERE nth <= $3::int AND (turn <= 1 OR nth <= $3 - ${RESERVED}))`;

const ONE = `
  WITH chosen AS (
    SELECT d.id FROM deliveries d JOIN webhook_endpoints e ON e.application_id = d.application_id
    JOIN applications a ON a.id = d.application_id
    WHERE d.id = $2::text AND ${FREE} AND (d.test OR ${activeSql('e', 'a')}))`;

// Asked first, without a lock or a transaction: mostly there is nothing. One for each of the two partial indexes.
const ANYTHING_DUE = `
  SELECT EXISTS (SELECT FROM deliveries WHERE due_at <= $1 AND NOT test)
    OR EXISTS (SELECT FROM deliveries WHERE due_at <= $1 AND test) AS due`;

// The attempt is on record before it is sent: one that never ends is seen to have been interrupted.
const BEGIN = `,
  leased AS (
    UPDATE deliveries d SET leased_until = $1::timestamptz + interval '${LEASE} milliseconds', attempts = d.attempts + 1
    FROM chosen -- Asked again of the row itself: since it was chosen its replay may have been stopped, or another attempt begun.
    WHERE d.id = chosen.id AND ${FREE}
    RETURNING d.*),
  attempt AS (
    INSERT INTO delivery_attempts (delivery_id, number, kind, requested_by_id, started_at)
    SELECT id, attempts, CASE WHEN manual_requested_at IS NULL THEN 'scheduled' ELSE 'manual' END,
      CASE WHEN manual_requested_at IS NOT NULL THEN manual_by_id END, $1 FROM leased)
  SELECT l.id AS "deliveryId", l.application_id AS "applicationId", l.tenant_id AS "tenantId", l.event_id AS "eventId",
    v.payload, e.url, l.attempts AS attempt, l.scheduled_attempts AS "scheduledAttempts", l.test,
    CASE WHEN l.manual_requested_at IS NULL THEN 'scheduled' ELSE 'manual' END AS kind,
    (SELECT json_agg(json_build_object('number', s.number, 'sealed', encode(s.sealed, 'base64')) ORDER BY s.number DESC)
      FROM webhook_secrets s WHERE s.application_id = l.application_id AND (s.expires_at IS NULL OR s.expires_at > $1))
      AS sealed
  FROM leased l JOIN events v ON v.id = l.event_id JOIN webhook_endpoints e ON e.application_id = l.application_id
  ORDER BY l.due_at, l.id`;

function leaseOf({ sealed, ...row }: Row, startedAt: Date): Lease {
  const secrets = sealed.map((one) => openSecret(row.applicationId, one.number, Buffer.from(one.sealed, 'base64')));
  return { ...row, startedAt, secrets };
}

/**
 * Begins up to `limit` attempts that are due at `now`: of active endpoints, at most four at a time each, and of tests.
 * One process at a time begins some, so that the bound holds over all of them.
 */
export async function leaseDue(now: Date, limit: number): Promise<Lease[]> {
  const asked = { name: 'webhooks-anything-due', text: ANYTHING_DUE, values: [now] };
  if ((await pool().query<{ due: boolean }>(asked)).rows[0]?.due !== true) return [];
  const client = await pool().connect();
  let broken = true;
  try {
    const rows = await inLock(client, async () => {
      const text = DUE + BEGIN;
      return (await client.query<Row>({ name: 'webhooks-lease-due', text, values: [now, MAX_PER_ENDPOINT, limit] }))
        .rows;
    });
    broken = false;
    return rows.map((row) => leaseOf(row, now));
  } finally {
    client.release(broken);
  }
}

async function inLock(client: pg.PoolClient, work: () => Promise<Row[]>): Promise<Row[]> {
  // A statement of its own: the next one sees what others began before they let go.
  await client.query(`BEGIN; ${ATTEMPT_START_LOCK}`);
  const found = await work();
  await client.query('COMMIT');
  return found;
}

/** Begins an attempt of this delivery, or returns null when it is not due, held, or under way. */
export async function leaseOne(now: Date, deliveryId: string): Promise<Lease | null> {
  const { rows } = await pool().query<Row>({
    name: 'webhooks-lease-one',
    text: ONE + BEGIN,
    values: [now, deliveryId],
  });
  return rows[0] ? leaseOf(rows[0], now) : null;
}
