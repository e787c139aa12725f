import { inTransaction, pool, queryInTransaction } from '@/lib/platform/db';
import { ATTEMPTS_LOCK, attemptsKey, attemptsLock } from '@/lib/platform/locks';
import { bind, nullable, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { ACTIVE } from './active';
import type { SealedSecret } from './secrets';
import { leaseSession } from './session';

/**
 * Maximum duration of a lease in milliseconds, which is longer than any attempt. The lease of a process that ends is freed
 * earlier (`holdLeases`).
 */
const LEASE = 30_000;

/**
 * Maximum number of concurrent attempts for one endpoint, across all processes. Attempts for test events have a
 * separate limit of the same size, because an owner waits for the result of a test event.
 */
const MAX_PER_ENDPOINT = 4;

/**
 * Number of attempts that one call to `leaseDue` reserves for endpoints without a running attempt, so that endpoints
 * that respond slowly cannot use all attempts. It has no effect if `Bounds.further` is given.
 */
const RESERVED = 16;

/** Limits for some of the attempts that one call to `leaseDue` starts. Its parameter `limit` limits all of them. */
type Bounds = {
  /** Maximum number of new attempts for failing endpoints. Default: half of `limit`. */
  failing?: number;
  /**
   * Maximum number of new attempts for endpoints that are not failing. Beyond it, `leaseDue` starts attempts only for
   * test events and for endpoints without a running attempt. Default: `limit` minus `RESERVED`.
   */
  further?: number;
};

/**
 * Maximum number of times that `leaseDue` chooses deliveries. If other processes are starting attempts for the same
 * applications, it may be able to start no attempt. In this case, it chooses again.
 */
const MAX_TRIES = 3;

/** The exclusive right to run one attempt. The database already contains the start of this attempt. */
export type Lease = {
  deliveryId: string;
  applicationId: string;
  tenantId: string;
  eventId: string;
  payload: string;
  url: string;
  /** The number of the attempt. */
  attempt: number;
  kind: 'scheduled' | 'manual';
  test: boolean;
  /** Whether the endpoint was failing when the attempt started. */
  failing: boolean;
  startedAt: Date;
  /**
   * The endpoint's valid secrets, newest first. They are decrypted after the transaction, so that a secret that cannot
   * be decrypted fails only the attempts of its own endpoint.
   */
  secrets: SealedSecret[];
};

type Row = Omit<Lease, 'startedAt'>;

/** SQL condition: delivery `d` is due at `now` and has no running attempt. */
const LEASABLE = sql`d.due_at <= ${param.timestamptz('now')}
  AND (d.leased_until IS NULL OR d.leased_until <= ${param.timestamptz('now')})`;

// Returns the CTE `chosen` with the deliveries to attempt next. For each endpoint, it reads the oldest due deliveries,
// and no more of them than attempts that can start now. The cost therefore does not depend on the length of the queue.
// Deliveries of test events come first, because an owner is waiting for the result. Then come deliveries to the
// endpoints with the fewest running attempts, so that slow receivers delay only themselves. Deliveries to failing
// endpoints come last. A failing endpoint has at most one running attempt, and one call starts at most `maxFailing`
// attempts for all failing endpoints together. These two limits do not apply to attempts for test events.
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

// Starts one attempt for each delivery of the CTE `chosen`. Checks `LEASABLE` again, because after the choice, another
// process may have started an attempt of the delivery or stopped the replay that made it due. The attempt's row is
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
    v.payload, e.url, l.attempts AS attempt, l.test, e.failing,
    CASE WHEN l.manual_requested_at IS NULL THEN 'scheduled' ELSE 'manual' END AS kind,
    coalesce((
      SELECT json_agg(json_build_object('number', s.number, 'sealed', encode(s.sealed, 'base64')) ORDER BY s.number DESC)
      FROM webhook_secrets s
      WHERE s.application_id = l.application_id AND (s.expires_at IS NULL OR s.expires_at > ${param.timestamptz('now')})),
      '[]') AS secrets
  FROM leased l JOIN events v ON v.id = l.event_id JOIN webhook_endpoints e ON e.application_id = l.application_id
  ORDER BY l.due_at, l.id`;

// Usually, no delivery is due. This check therefore runs first, without a lock or a transaction. Each EXISTS uses one
// partial index.
const ANY_DUE = statement<{ due: boolean }>('webhooks-any-due')`
  SELECT EXISTS (SELECT FROM deliveries WHERE due_at <= ${param.timestamptz('now')} AND NOT test)
    OR EXISTS (SELECT FROM deliveries WHERE due_at <= ${param.timestamptz('now')} AND test) AS due`;

const CHOOSE = statement<{ applicationId: string }>('webhooks-choose-due')`
  ${dueOf(sql`true`)} SELECT DISTINCT application_id AS "applicationId" FROM chosen`;

// Locks the given applications, except those for which another process is starting attempts. Returns those that it
// locked.
const LOCK = statement<{ applicationId: string }>('webhooks-lock-applications')`
  SELECT id AS "applicationId" FROM unnest(${param.texts('applicationIds')}, ${param.bigints('keys')}) AS given(id, key)
  WHERE pg_try_advisory_xact_lock(key)`;

const LEASE_DUE = statement<Row>('webhooks-lease-due')`
  ${dueOf(sql`e.application_id = ANY (${param.texts('applicationIds')})`)}${START}`;

/** An application for which attempts can start now. */
export type DueApplication = {
  applicationId: string;
  /** The first delivery that can be attempted. */
  deliveryId: string;
  /** Number of the application's running attempts. */
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

/**
 * Returns the applications for which `leaseDue` would start up to `limit` attempts at `now`. At most half of these
 * attempts are for failing endpoints.
 */
export async function dueApplications(now: Date, limit: number): Promise<DueApplication[]> {
  if (!(await isAnyDue(now))) return [];
  const bounds = { limit, maxPerEndpoint: MAX_PER_ENDPOINT, maxFailing: Math.ceil(limit / 2), further: limit };
  return (await pool().query<DueApplication>(bind(DUE_APPLICATIONS, { now, ...bounds }))).rows;
}

/**
 * Starts up to `limit` attempts that are due at `now`. An active endpoint has at most four concurrent attempts, or one
 * if it is failing. Attempts for test events are counted separately: every endpoint has at most four of them at the
 * same time, even if it is not active. These limits apply to all processes together, because a process locks an
 * application while it starts attempts for it.
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
    const leases = await inTransaction([ATTEMPTS_LOCK], async (client) => {
      // Takes the locks in a separate statement. The next statement then sees the attempts that other processes started
      // while they held these locks.
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

/**
 * Starts attempts for an application, oldest due delivery first. The limits per endpoint are those of `leaseDue`. Waits
 * while another process is starting attempts for the application.
 */
export async function leaseOldest(now: Date, applicationId: string, limit = 2 * MAX_PER_ENDPOINT): Promise<Lease[]> {
  const bounds = { now, limit, maxPerEndpoint: MAX_PER_ENDPOINT, maxFailing: limit, further: limit };
  const query = bind(LEASE_DUE, { ...bounds, ...leaseOf(now), applicationIds: [applicationId] });
  // The statement takes its snapshot after the locks, so it sees the attempts that other processes started before.
  const { rows } = await queryInTransaction<Row>([ATTEMPTS_LOCK, attemptsLock(applicationId)], query);
  return rows.map((row) => ({ ...row, startedAt: now }));
}
