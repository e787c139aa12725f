import { nullable, param, sql, statement } from '@/lib/platform/sql';

/** A calendar whose attempt this process may run. `generation` identifies the attempt. */
export type Leased = {
  id: string;
  tenantId: string;
  subjectId: string;
  specialistId: string | null;
  locationId: string | null;
  url: Buffer;
  showTitles: boolean;
  blockWhenStale: boolean;
  etag: string | null;
  lastModified: string | null;
  readAt: Date | null;
  readUntil: string | null;
  readZones: string[];
  failures: number;
  lastSuccessAt: Date | null;
  createdAt: Date;
  generation: number;
};

const LEASED = sql`id, tenant_id AS "tenantId", subject_id AS "subjectId", specialist_id AS "specialistId",
  location_id AS "locationId", url, show_titles AS "showTitles", block_when_stale AS "blockWhenStale", etag,
  last_modified AS "lastModified", read_at AS "readAt", to_char(read_until, 'YYYY-MM-DD') AS "readUntil",
  read_zones AS "readZones", failures, last_success_at AS "lastSuccessAt", created_at AS "createdAt", generation`;

const LEASE = sql`UPDATE calendars SET leased_until = ${param.timestamptz('leasedUntil')},
    last_attempt_at = ${param.timestamptz('now')}, generation = generation + 1`;

/** Maximum number of attempts of one tenant that run at the same time, in all processes. */
const MAX_OF_TENANT = 2;

/**
 * Leases the calendar that is due longest. Tenants without a running attempt come first, and a tenant has few, so that
 * slow calendars of one tenant do not delay those of others.
 */
export const LEASE_DUE = statement<Leased>('calendar-lease')`
  ${LEASE} WHERE id = (
    SELECT c.id FROM calendars c JOIN tenants t ON t.id = c.tenant_id CROSS JOIN LATERAL (
      SELECT count(*) AS count FROM calendars o WHERE o.tenant_id = c.tenant_id AND o.leased_until > ${param.timestamptz('now')}) running
    WHERE c.next_attempt_at <= ${param.timestamptz('now')} AND t.suspended_at IS NULL
      AND (c.leased_until IS NULL OR c.leased_until <= ${param.timestamptz('now')}) AND running.count < ${MAX_OF_TENANT}
    ORDER BY running.count, c.next_attempt_at, c.id LIMIT 1 FOR UPDATE OF c SKIP LOCKED)
  RETURNING ${LEASED}`;

/** Leases one calendar for an owner who does not want to wait, unless an attempt is running or has just been made. */
export const LEASE_ONE = statement<Leased>('calendar-lease-one')`
  ${LEASE} WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')} AND next_attempt_at IS NOT NULL
    AND (leased_until IS NULL OR leased_until <= ${param.timestamptz('now')})
    AND (last_attempt_at IS NULL OR last_attempt_at <= ${param.timestamptz('before')})
  RETURNING ${LEASED}`;

/** Locks a calendar if nothing has changed since the attempt `generation` began. */
export const LOCK_ATTEMPT = statement<{ id: string }>('calendar-lock')`
  SELECT id FROM calendars WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}
    AND generation = ${param.int('generation')} AND removed_at IS NULL FOR UPDATE`;

/** What decides which days are read: the time zones in which the subject works, and how far ahead can be booked. */
export const READING = statement<{ zones: string[]; days: number }>('calendar-reading')`
  SELECT coalesce(nullif(ARRAY(
      SELECT DISTINCT l.time_zone FROM locations l
      WHERE l.tenant_id = t.id AND (l.id = ${param.text('subjectId')}
        OR EXISTS (SELECT FROM offerings o WHERE o.tenant_id = t.id AND o.specialist_id = ${param.text('subjectId')} AND o.location_id = l.id)
        OR EXISTS (SELECT FROM specialist_hours h WHERE h.tenant_id = t.id AND h.specialist_id = ${param.text('subjectId')} AND h.location_id = l.id))
      ORDER BY 1), '{}'), ARRAY[t.time_zone]) AS zones,
    (SELECT coalesce(max(max_advance_days), 0)::int FROM services s WHERE s.tenant_id = t.id) AS days
  FROM tenants t WHERE t.id = ${param.text('tenantId')}`;

/** The blocks of a calendar and one source that end after the first day that was read. */
export const EXISTING = statement<{ id: string; from: string; to: string; reason: string | null }>('calendar-blocks')`
  SELECT id, to_char(starts_at, 'YYYY-MM-DD"T"HH24:MI') AS from, to_char(ends_at, 'YYYY-MM-DD"T"HH24:MI') AS to, reason
  FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND calendar_id = ${param.text('id')}
    AND source = ${param.text('source')} AND ends_at > ${param.text('since')}::timestamp`;

export const DELETE_BLOCKS = statement<never>('calendar-blocks-delete')`
  DELETE FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND id = ANY(${param.texts('ids')})`;

export const INSERT_BLOCKS = statement<never>('calendar-blocks-insert')`
  INSERT INTO blocks (id, tenant_id, subject_id, specialist_id, location_id, calendar_id, source, created_at,
    starts_at, ends_at, last_day, reason)
  SELECT given.id, ${param.text('tenantId')}, ${param.text('subjectId')}, ${nullable(param.text('specialistId'))},
    ${nullable(param.text('locationId'))}, ${param.text('calendarId')}, ${param.text('source')}, ${param.timestamptz('now')},
    given.starts_at::timestamp, given.ends_at::timestamp, given.last_day, nullif(given.reason, '')
  FROM unnest(${param.texts('ids')}, ${param.texts('from')}, ${param.texts('to')}, ${param.dates('lastDays')}, ${param.texts('reasons')})
    AS given (id, starts_at, ends_at, last_day, reason)`;

export const SUCCEEDED = statement<never>('calendar-succeeded')`
  UPDATE calendars SET leased_until = NULL, failures = 0, problem = NULL, last_success_at = ${param.timestamptz('now')},
    next_attempt_at = ${param.timestamptz('nextAt')}
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

export const READ = statement<never>('calendar-read')`
  UPDATE calendars SET etag = ${nullable(param.text('etag'))}, last_modified = ${nullable(param.text('lastModified'))},
    read_at = ${param.timestamptz('now')}, read_until = ${param.date('readUntil')}, read_zones = ${param.texts('zones')},
    busy_times = ${param.int('busyTimes')}, unread_entries = ${param.int('unread')}
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

export const FAILED = statement<never>('calendar-failed')`
  UPDATE calendars SET leased_until = NULL, failures = failures + 1, problem = ${param.text('problem')},
    next_attempt_at = ${param.timestamptz('nextAt')}
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;
