import { nullable, param, sql, statement } from '@/lib/platform/sql';
import { ACTIVE } from '@/lib/webhooks/active';
import { INSERT_DELIVERIES } from '@/lib/webhooks/insert';

/** Milliseconds between two events of a type for an application (contract B17). */
export const INTERVAL = 5_000;

/**
 * Milliseconds before the first event of a watch. A write that began before the watch, whose change is therefore not queued,
 * commits within this time.
 */
const FIRST_EVENT = 10_000;

/** Of one run. The next run finds the others. */
const MAX_TENANTS = 1_000;

/** Queue rows of one transaction. */
export const BATCH = 20_000;

/** Ranges of changed time that are told one by one. */
export const MAX_RANGES = 2_000;

/** Thin events that wait for their delivery, before the next one waits too. Only the newest deliveries are counted. */
export const MAX_WAITING = 10;
const NEWEST = 100;

const THIN = sql`ARRAY['availability.changed', 'catalog.changed']`;

const ONLY = sql`(${nullable(param.text('only'))} IS NULL OR w.tenant_id = ${nullable(param.text('only'))})`;

/** Ends the watches of endpoints that receive no thin event anymore. */
export const END_WATCHES = statement<never>('thin-events-end')`
  DELETE FROM change_watches WHERE application_id IN (
    SELECT w.application_id FROM change_watches w WHERE ${ONLY} AND NOT EXISTS (
      SELECT FROM webhook_endpoints e WHERE e.application_id = w.application_id AND e.event_types && ${THIN})
    FOR UPDATE OF w SKIP LOCKED)`;

/** Begins a watch for each endpoint that receives other types than before. Usually, there is none, and nothing is locked. */
export const BEGIN_WATCHES = statement<never>('thin-events-begin')`
  INSERT INTO change_watches AS known (application_id, tenant_id, types, next_at)
  SELECT w.application_id, w.tenant_id, given.types, ${param.timestamptz('now')} + ${FIRST_EVENT} * interval '1 millisecond'
  FROM webhook_endpoints w CROSS JOIN LATERAL (
    SELECT array_agg(type ORDER BY type) AS types FROM unnest(w.event_types) AS type WHERE type = ANY (${THIN})) AS given
  WHERE w.event_types && ${THIN} AND ${ONLY} AND NOT EXISTS (
    SELECT FROM change_watches same WHERE same.application_id = w.application_id AND same.types = given.types)
  ORDER BY w.application_id
  ON CONFLICT (application_id) DO UPDATE SET types = EXCLUDED.types, next_at = EXCLUDED.next_at, missed = true,
    catalog_version = NULL, policy_version = NULL, catalog = NULL, schedules = '{}'`;

const CATALOG_VERSION = sql`(SELECT version FROM cache_versions v WHERE v.topic = 'catalog' AND v.id = w.tenant_id)`;
const POLICY_VERSION = sql`(SELECT version FROM cache_versions v WHERE v.topic = 'policy' AND v.id = w.application_id)`;

/** Whether an active endpoint has something to be told that its watch knows. Its first event is told too. */
const UNTOLD = sql`(${ACTIVE} AND (w.missed AND 'availability.read' = ANY (a.scopes) OR w.catalog IS NULL
  OR w.catalog_version IS DISTINCT FROM ${CATALOG_VERSION} OR w.policy_version IS DISTINCT FROM ${POLICY_VERSION}))`;

/** The events of a tenant's applications are emitted together, so that each change is read from the queue once. */
export const DUE_TENANTS = statement<{ tenantId: string }>('thin-events-due')`
  SELECT w.tenant_id AS "tenantId"
  FROM change_watches w JOIN applications a ON a.id = w.application_id
    JOIN webhook_endpoints e ON e.application_id = w.application_id
  WHERE ${ONLY}
  GROUP BY w.tenant_id
  HAVING max(w.next_at) <= ${param.timestamptz('now')}
    AND (bool_or(${UNTOLD}) OR EXISTS (SELECT FROM slot_changes s WHERE s.tenant_id = w.tenant_id))
  ORDER BY w.tenant_id LIMIT ${MAX_TENANTS}`;

export type ReadableRow = {
  applicationId: string;
  catalogVersion: string | null;
  policyVersion: string | null;
  /** Whether the watch has not been told of these versions, and the endpoint is active. */
  untold: boolean;
  allLocations: boolean;
  locationIds: string[];
};

/** Read before the catalog, which is therefore at least as new. */
export const READ_READABLE = statement<ReadableRow>('thin-events-readable')`
  SELECT w.application_id AS "applicationId", ${CATALOG_VERSION}::text AS "catalogVersion", ${POLICY_VERSION}::text AS "policyVersion",
    ${UNTOLD} AS untold, a.all_locations AS "allLocations",
    ARRAY(SELECT l.location_id FROM application_locations l WHERE l.application_id = a.id ORDER BY 1) AS "locationIds"
  FROM change_watches w JOIN applications a ON a.id = w.application_id
    JOIN webhook_endpoints e ON e.application_id = w.application_id
  WHERE w.tenant_id = ${param.text('tenantId')}`;

export type Watch = {
  applicationId: string;
  types: string[];
  nextAt: Date;
  missed: boolean;
  catalogVersion: string | null;
  policyVersion: string | null;
  catalog: Buffer | null;
  schedules: Record<string, string>;
  scopes: string[];
  /** Seconds. */
  clockOffset: number;
  active: boolean;
  waiting: number;
};

/** Another process that emits the same events waits here, and then finds that they are not due anymore. */
export const LOCK_WATCHES = statement<Watch>('thin-events-lock')`
  SELECT w.application_id AS "applicationId", w.types, w.next_at AS "nextAt", w.missed,
    w.catalog_version::text AS "catalogVersion", w.policy_version::text AS "policyVersion", w.catalog, w.schedules, a.scopes,
    a.clock_offset_seconds * ${param.int('clocks')} AS "clockOffset", ${ACTIVE} AS active,
    (SELECT count(*)::int FROM (
      SELECT d.event_id FROM deliveries d WHERE d.application_id = a.id AND d.state = 'pending'
      ORDER BY d.id DESC LIMIT ${NEWEST}) AS d JOIN events v ON v.id = d.event_id WHERE v.type = ANY (${THIN})) AS waiting
  FROM change_watches w JOIN applications a ON a.id = w.application_id
    JOIN webhook_endpoints e ON e.application_id = w.application_id
  WHERE w.tenant_id = ${param.text('tenantId')}
  ORDER BY w.application_id FOR UPDATE OF w`;

/** `taken` is the number of rows that were taken from the queue, the same in each row. Without a range, the others are null. */
export type RangeRow = {
  taken: number;
  subjectId: string | null;
  local: boolean | null;
  from: string | null;
  to: string | null;
};

const LAST_ID = sql`'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid`;

/**
 * Takes rows from the queue, and returns them merged: one row more than `MAX_RANGES` means that there are too many. The rows
 * are a range of the primary key. A join with the rows to take would be quadratic, because the statistics of a queue usually
 * say that it is empty.
 */
export const TAKE_CHANGES = statement<RangeRow>('thin-events-take')`
  WITH gone AS (
    DELETE FROM slot_changes WHERE tenant_id = ${param.text('tenantId')} AND id <= coalesce((
      SELECT id FROM slot_changes WHERE tenant_id = ${param.text('tenantId')} ORDER BY id OFFSET ${BATCH - 1} LIMIT 1), ${LAST_ID})
    RETURNING subject_id, local, from_minute, to_minute)
  SELECT counted.taken, merged.subject_id AS "subjectId", merged.local, lower(merged.part)::text AS "from", upper(merged.part)::text AS "to"
  FROM (SELECT count(*)::int AS taken FROM gone) AS counted LEFT JOIN LATERAL (
    SELECT subject_id, local, unnest(range_agg(int8range(from_minute, to_minute))) AS part FROM gone
    GROUP BY subject_id, local LIMIT ${MAX_RANGES + 1}) AS merged ON true`;

export const EMIT = statement<never>('thin-events-emit')`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, actor, payload, at)
    VALUES (${param.text('id')}, ${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('eventType')}, 'system',
      ${param.text('payload')}, ${param.timestamptz('deliverAt')}) RETURNING id)
  ${INSERT_DELIVERIES}`;

export const TELL = statement<never>('thin-events-tell')`
  UPDATE change_watches SET next_at = ${param.timestamptz('nextAt')}, missed = ${param.boolean('missed')},
    catalog_version = ${nullable(param.uuid('catalogVersion'))}, policy_version = ${nullable(param.uuid('policyVersion'))},
    catalog = ${nullable(param.bytea('catalog'))}, schedules = ${param.jsonb('schedules')}
  WHERE application_id = ${param.text('applicationId')}`;

/** Marks all that is told one by one as missed, after too many rows for one transaction. */
export const MISS_ALL = statement<never>('thin-events-miss')`
  UPDATE change_watches SET missed = true WHERE tenant_id = ${param.text('tenantId')}`;
