import { pool } from '@/lib/platform/db';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import { LOCAL_START } from '../local-times';

/** Milliseconds without a success after which people are told about a calendar. */
const TOLD_AFTER = 2 * 3_600_000;
/** Maximum number of conflicts, and of a tenant's unreadable calendars. */
const MAX_LISTED = 20;
/** Maximum number of unreadable calendars of all tenants. The next runs find the others, because each mails once. */
const MAX_OF_ALL = 1_000;
/** Maximum number of bookings, the soonest ones, that are compared with busy times. */
const MAX_CHECKED = 2_000;

/** A calendar that could not be read for some hours. `since`: its last success, or when it was added. */
export type Unreadable = {
  id: string;
  tenantId: string;
  business: string;
  name: string;
  specialist_id: string | null;
  location_id: string | null;
  /** The name of the specialist or the location. */
  whose: string;
  since: Date;
  block_when_stale: boolean;
};

const UNREADABLE = statement<Unreadable>()`
  SELECT c.id, c.tenant_id AS "tenantId", t.name AS business, c.name, c.specialist_id, c.location_id,
    coalesce(s.display_name, l.name->>t.default_locale, l.city) AS whose, coalesce(c.last_success_at, c.created_at) AS since,
    c.block_when_stale
  FROM calendars c JOIN tenants t ON t.id = c.tenant_id
    LEFT JOIN specialists s ON s.id = c.specialist_id LEFT JOIN locations l ON l.id = c.location_id
  WHERE c.failures > 0 AND c.next_attempt_at IS NOT NULL AND t.suspended_at IS NULL
    AND coalesce(c.last_success_at, c.created_at) <= ${param.timestamptz('before')}
    AND c.tenant_id = coalesce(${nullable(param.text('tenantId'))}, c.tenant_id)
  ORDER BY since, c.id LIMIT ${param.int('limit')}`;

/** Returns the calendars, of one tenant or of all, that could not be read for two hours, the oldest first. */
export async function unreadableCalendars(now: Date, tenantId: string | null): Promise<Unreadable[]> {
  const before = new Date(now.getTime() - TOLD_AFTER);
  const limit = tenantId === null ? MAX_OF_ALL : MAX_LISTED;
  const { rows } = await pool().query<Unreadable>(bind(UNREADABLE, { before, tenantId, limit }));
  return rows;
}

/** A confirmed booking at a busy time. `calendar` is null for a busy time that an application pushed. */
export type Conflict = {
  reference: string;
  date: string;
  start_time: string;
  service: string;
  specialist: string;
  calendar: string | null;
};

// The first condition makes PostgreSQL read no bookings of a tenant without busy times.
const CONFLICTS = statement<Conflict & { total: number }>()`
  SELECT (count(*) OVER ())::int AS total, ${LOCAL_START}, b.reference, coalesce(v.name->>t.default_locale, v.id) AS service,
    s.display_name AS specialist, c.name AS calendar
  FROM (
      SELECT * FROM bookings
      WHERE (SELECT EXISTS (SELECT FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND source IN ('calendar', 'system')))
        AND tenant_id = ${param.text('tenantId')} AND status = 'confirmed' AND ends_at > ${param.timestamptz('now')}
      ORDER BY starts_at LIMIT ${MAX_CHECKED}) b
    CROSS JOIN LATERAL (
      SELECT k.calendar_id FROM block_days d
        JOIN blocks k ON k.tenant_id = d.tenant_id AND k.subject_id = d.subject_id AND k.id = d.block_id
      WHERE d.subject_id IN (b.specialist_id, b.location_id) AND d.day BETWEEN b.date AND b.end_date
        AND k.source IN ('calendar', 'system')
        AND d.day + d.to_minute * interval '1 minute' > b.date + b.start_time
        AND d.day + d.from_minute * interval '1 minute' < b.end_date + b.end_time
      LIMIT 1) busy
    JOIN tenants t ON t.id = b.tenant_id
    JOIN services v ON v.id = b.service_id
    JOIN specialists s ON s.id = b.specialist_id
    LEFT JOIN calendars c ON c.id = busy.calendar_id
  ORDER BY b.starts_at, b.reference LIMIT ${MAX_LISTED}`;

/** Returns the soonest confirmed bookings at busy times of calendars and own systems, and how many there are in all. */
export async function busyConflicts(now: Date, tenantId: string): Promise<{ total: number; conflicts: Conflict[] }> {
  const { rows } = await pool().query<Conflict & { total: number }>(bind(CONFLICTS, { tenantId, now }));
  return { total: rows[0]?.total ?? 0, conflicts: rows.map(({ total: _, ...conflict }) => conflict) };
}
