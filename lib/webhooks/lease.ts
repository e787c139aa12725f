import { inTransaction, pool, queryInTransaction } from '@/lib/platform/db';
import { attemptsKey, attemptsLock } from '@/lib/platform/locks';
import { bind, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { ACTIVE } from './active';
import { leaseSession } from './lease-session';
import type { SealedSecret } from './secrets';

/** Milliseconds, longer than any attempt. The lease of a process that ends is freed earlier (`holdLeases`). */
const LEASE = 30_000;

/** Across all processes. Test events have a separate limit of the same size, because an owner waits for the result. */
const MAX_PER_ENDPOINT = 4;

/** Attempts of one call for endpoints without a running one, so that slow endpoints cannot use all. */
const RESERVED = 16;

type Bounds = {
  /** New attempts for failing endpoints. Default: half of `limit`. */
  failing?: number;
  /** New attempts for healthy endpoints that have one running, except test events. Default: `limit` - `RESERVED`. */
  further?: number;
};

/** Other processes may be starting attempts for the chosen applications. */
const MAX_TRIES = 3;

/** The exclusive right to run one attempt, whose start the database already contains. */
export type Lease = {
  deliveryId: string;
  applicationId: string;
  tenantId: string;
  eventId: string;
  payload: string;
  /** Null if the event is older than its sequence. */
  sequence: string | null;
  url: string;
  attempt: number;
  kind: 'scheduled' | 'manual';
  test: boolean;
  /** Whether to send it with a wrong signature (contract B21). */
  forged: boolean;
  /** When the attempt started. */
  failing: boolean;
  startedAt: Date;
  /** Newest first. Decrypted after the transaction, so that a damaged secret fails only its own endpoint. */
  secrets: SealedSecret[];
};

type Row = Omit<Lease, 'startedAt'>;

const LEASABLE = sql`d.due_at <= ${param.timestamptz('now')}
  AND (d.leased_until IS NULL OR d.leased_until <= ${param.timestamptz('now')})`;

// The cost does not depend on the length of the queue: for each endpoint, only as many of the oldest due deliveries are
// read as can start now. Test events come first, because an owner is waiting. Then come the endpoints with the fewest
// running attempts, so that slow receivers delay only themselves. Failing endpoints come last, with at most one running
// attempt each, and `maxFailing` attempts of one call for all together, test events excepted.
const dueOf = <Values>(endpoints: Sql<Values>) => sql`
  WITH endpoints AS (
    SELECT e.application_id, e.failing, ${ACTIVE} AS active, leased.running, leased.tests
    FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE NOT l.test)::int AS running, count(*) FILTER (WHERE l.test)::int AS tests
      FROM deliveries l
      WHERE l.application_id = e.application_id AND l.leased_until > ${param.timestamptz('now')}) AS leased
    WHERE ${endpoints}),
  capacity AS (
    SELECT application_id, active, running, failing,
      CASE WHEN failing THEN 1 ELSE ${param.int('maxPerEndpoint')} END - running AS free,
      ${param.int('maxPerEndpoint')} - tests AS free_tests
    FROM endpoints),
  waiting AS (
    SELECT application_id, due.id, due.due_at, failing, capacity.running + due.place AS turn
    FROM capacity CROSS JOIN LATERAL (
      SELECT d.id, d.due_at, row_number() OVER (ORDER BY d.due_at, d.id) AS place FROM deliveries d
      WHERE d.application_id = capacity.application_id AND NOT d.test AND ${LEASABLE}
      ORDER BY d.due_at, d.id LIMIT GREATEST(capacity.free, 0)) AS due
    WHERE capacity.active
    UNION ALL
    SELECT application_id, due.id, due.due_at, false, 0 FROM capacity CROSS JOIN LATERAL (
      SELECT d.id, d.due_at FROM deliveries d
      WHERE d.application_id = capacity.application_id AND d.test AND ${LEASABLE}
      ORDER BY d.due_at LIMIT GREATEST(capacity.free_tests, 0)) AS due),
  chosen AS (
    SELECT application_id, id FROM (
      SELECT *, row_number() OVER (PARTITION BY failing ORDER BY turn, due_at, id) AS nth FROM waiting) AS ordered
    WHERE CASE WHEN failing THEN nth <= ${param.int('maxFailing')} ELSE turn <= 1 OR nth <= ${param.int('further')} END
    ORDER BY failing, turn, due_at, id LIMIT ${param.int('limit')})`;

// Checks `LEASABLE` again, because another process may have started an attempt or stopped the replay. The row is
// inserted before the HTTP request is sent, so that an interrupted attempt is visible.
const START = sql`,
  leased AS (
    UPDATE deliveries d SET leased_until = ${param.timestamptz('leasedUntil')},
      leased_by = ${nullable(param.int('session'))}, attempts = d.attempts + 1
    FROM chosen WHERE d.id = chosen.id AND ${LEASABLE}
    RETURNING d.*),
  attempt AS (
    INSERT INTO delivery_attempts (delivery_id, number, kind, requested_by_id, started_at)
    SELECT id, attempts, CASE WHEN manual_requested_at IS NULL THEN 'scheduled' ELSE 'manual' END,
      CASE WHEN manual_requested_at IS NOT NULL THEN manual_by_id END, ${param.timestamptz('now')} FROM leased)
  SELECT l.id AS "deliveryId", l.application_id AS "applicationId", l.tenant_id AS "tenantId", l.event_id AS "eventId",
    v.payload, (SELECT s.sequence::text FROM event_sequences s WHERE s.event_id = l.event_id) AS sequence, e.url, l.attempts AS attempt, l.test, l.forged, e.failing,
    CASE WHEN l.manual_requested_at IS NULL THEN 'scheduled' ELSE 'manual' END AS kind,
    coalesce((
      SELECT json_agg(json_build_object('number', s.number, 'sealed', encode(s.sealed, 'base64')) ORDER BY s.number DESC)
      FROM webhook_secrets s
      WHERE s.application_id = l.application_id AND (s.expires_at IS NULL OR s.expires_at > ${param.timestamptz('now')})),
      '[]') AS secrets
  FROM leased l JOIN events v ON v.id = l.event_id JOIN webhook_endpoints e ON e.application_id = l.application_id
  ORDER BY l.due_at, l.id`;

// Usually, no delivery is due, so this runs first, without a lock or a transaction. Each EXISTS uses one partial index.
const ANY_DUE = statement<{ due: boolean }>('webhooks-any-due')`
  SELECT EXISTS (SELECT FROM deliveries WHERE due_at <= ${param.timestamptz('now')} AND NOT test)
    OR EXISTS (SELECT FROM deliveries WHERE due_at <= ${param.timestamptz('now')} AND test) AS due`;

const CHOOSE = statement<{ applicationId: string }>('webhooks-choose-due')`
  ${dueOf(sql`true`)} SELECT DISTINCT application_id AS "applicationId" FROM chosen`;

// Skips and omits the applications for which another process is starting attempts.
const LOCK = statement<{ applicationId: string }>('webhooks-lock-applications')`
  SELECT id AS "applicationId" FROM unnest(${param.texts('applicationIds')}, ${param.bigints('keys')}) AS given(id, key)
  WHERE pg_try_advisory_xact_lock(key)`;

const LEASE_DUE = statement<Row>('webhooks-lease-due')`
  ${dueOf(sql`e.application_id = ANY (${param.texts('applicationIds')})`)}${START}`;

export type DueApplication = {
  applicationId: string;
  deliveryId: string;
  /** Of the application. */
  running: number;
};

const DUE_APPLICATIONS = statement<DueApplication>('webhooks-due-applications')`
  ${dueOf(sql`true`)}
  SELECT application_id AS "applicationId", min(id) AS "deliveryId", running + tests AS running
  FROM chosen JOIN endpoints USING (application_id) GROUP BY application_id, running, tests`;

const leaseOf = (now: Date) => ({ now, leasedUntil: new Date(now.getTime() + LEASE), session: leaseSession() });

async function isAnyDue(now: Date): Promise<boolean> {
  const { rows } = await pool().query<{ due: boolean }>(bind(ANY_DUE, { now }));
  return rows[0]?.due === true;
}

/** Returns the applications for which `leaseDue` would start up to `limit` attempts at `now`. */
export async function dueApplications(now: Date, limit: number): Promise<DueApplication[]> {
  if (!(await isAnyDue(now))) return [];
  const bounds = { limit, maxPerEndpoint: MAX_PER_ENDPOINT, maxFailing: Math.ceil(limit / 2), further: limit };
  return (await pool().query<DueApplication>(bind(DUE_APPLICATIONS, { now, ...bounds }))).rows;
}

/**
 * Starts up to `limit` attempts that are due at `now`. An active endpoint has at most four concurrent attempts, or one
 * if it is failing, and at most four for test events, even if it is not active. A process locks an application while it
 * starts attempts for it, so these limits apply to all processes together.
 */
export async function leaseDue(
  now: Date,
  limit: number,
  { failing: maxFailing = Math.ceil(limit / 2), further = limit - RESERVED }: Bounds = {},
): Promise<Lease[]> {
  if (!(await isAnyDue(now))) return [];
  const bounds = { now, limit, maxPerEndpoint: MAX_PER_ENDPOINT, maxFailing, further };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const { rows: chosen } = await pool().query<{ applicationId: string }>(bind(CHOOSE, bounds));
    if (chosen.length === 0) return [];
    const wanted = chosen.map(({ applicationId }) => applicationId);
    const leases = await inTransaction([], async (client) => {
      // The next statement then sees the attempts that other processes started while they held these locks.
      const { rows: locked } = await client.query<{ applicationId: string }>(
        bind(LOCK, { applicationIds: wanted, keys: wanted.map(attemptsKey) }),
      );
      const applicationIds = locked.map(({ applicationId }) => applicationId);
      const { rows } = await client.query<Row>(bind(LEASE_DUE, { ...bounds, ...leaseOf(now), applicationIds }));
      return rows.map((row) => ({ ...row, startedAt: now }));
    });
    if (leases.length > 0) return leases;
  }
  return [];
}

/** Like `leaseDue` for one application, oldest delivery first. Waits while another process starts its attempts. */
export async function leaseOldest(now: Date, applicationId: string, limit = 2 * MAX_PER_ENDPOINT): Promise<Lease[]> {
  const bounds = { now, limit, maxPerEndpoint: MAX_PER_ENDPOINT, maxFailing: limit, further: limit };
  const query = bind(LEASE_DUE, { ...bounds, ...leaseOf(now), applicationIds: [applicationId] });
  // The snapshot is taken after the lock, so it sees the attempts that other processes started before.
  const { rows } = await queryInTransaction<Row>([attemptsLock(applicationId)], query);
  return rows.map((row) => ({ ...row, startedAt: now }));
}
