import { nullable, param, sql, statement } from '@/lib/platform/sql';
import { LOCAL_COLUMNS } from '../local-times';

/** A row of `blocks`, with local times as text. */
export type BlockRow = {
  id: string;
  version: number;
  subject_id: string;
  specialist_id: string | null;
  location_id: string | null;
  from: string;
  to: string;
  every_weeks: number | null;
  weekdays: number[];
  until: string | null;
  reason: string | null;
  source: string;
};

export const BLOCK_COLUMNS = sql`k.id, k.version, k.subject_id, k.specialist_id, k.location_id,
  to_char(k.starts_at, 'YYYY-MM-DD"T"HH24:MI') AS from, to_char(k.ends_at, 'YYYY-MM-DD"T"HH24:MI') AS to,
  k.every_weeks, k.weekdays, to_char(k.until, 'YYYY-MM-DD') AS until, k.reason, k.source`;

/** Finds the specialist, the location, or the tenant whose time is to be blocked. */
export const FIND_SUBJECT = statement<{ id: string }>('block-subject')`
  SELECT id FROM specialists WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('subjectId')}
  UNION ALL SELECT id FROM locations WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('subjectId')}
  UNION ALL SELECT id FROM tenants WHERE id = ${param.text('tenantId')} AND id = ${param.text('subjectId')}`;

export const COUNT_BLOCKS = statement<{ count: number }>('blocks-count')`
  SELECT count(*)::int AS count FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND source = 'owner'
    AND last_day >= ${param.date('today')}`;

export const FIND_BLOCK = statement<BlockRow>('block-find')`
  SELECT ${BLOCK_COLUMNS} FROM blocks k WHERE k.tenant_id = ${param.text('tenantId')} AND k.id = ${param.text('id')}`;

const VALUES = sql`${param.text('from')}::timestamp, ${param.text('to')}::timestamp,
  ${nullable(param.smallint('everyWeeks'))}, ${param.ints('weekdays')}::smallint[], ${nullable(param.date('until'))},
  date '1970-01-01' + ${param.int('lastDay')}, ${nullable(param.text('reason'))}`;

export const INSERT_BLOCK = statement<never>('block-insert')`
  INSERT INTO blocks (id, tenant_id, subject_id, specialist_id, location_id, source, version, created_by_id, created_at,
    starts_at, ends_at, every_weeks, weekdays, until, last_day, reason)
  SELECT ${param.text('id')}, ${param.text('tenantId')}, ${param.text('subjectId')},
    ${nullable(param.text('specialistId'))}, ${nullable(param.text('locationId'))}, 'owner', ${param.int('version')},
    ${nullable(param.text('createdById'))}, ${param.timestamptz('now')}, ${VALUES}`;

export const UPDATE_BLOCK = statement<never>('block-update')`
  UPDATE blocks SET version = ${param.int('version')}, changed_at = ${param.timestamptz('now')},
    (starts_at, ends_at, every_weeks, weekdays, until, last_day, reason) = ROW(${VALUES})
  WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

/** Deletes a block with its days. */
export const DELETE_BLOCK = statement<never>('block-delete')`
  DELETE FROM blocks WHERE tenant_id = ${param.text('tenantId')} AND id = ${param.text('id')}`;

export const DELETE_DAYS = statement<never>('block-days-delete')`
  DELETE FROM block_days WHERE tenant_id = ${param.text('tenantId')} AND subject_id = ${param.text('subjectId')}
    AND block_id = ${param.text('id')}`;

/** A future booking that may be inside a block. `location_zone` is the time zone of its location now. */
export type BookedRow = {
  reference: string;
  starts_at: Date;
  ends_at: Date;
  time_zone: string;
  date: string;
  start_time: string;
  end_date: string;
  end_time: string;
  service_id: string;
  service_name: string;
  location_id: string;
  location_name: string;
  specialist_id: string;
  specialist_name: string;
  location_zone: string;
};

/**
 * Finds the confirmed bookings of a specialist, a location, or the tenant in a range, soonest first. A block's days and
 * the range differ by at most a day, because days are local, and an appointment begins at most a day before its end.
 */
export const FIND_BOOKED = statement<BookedRow>()`
  SELECT ${LOCAL_COLUMNS}, b.reference, b.starts_at, b.ends_at, b.time_zone, b.service_id, b.location_id, b.specialist_id,
    coalesce(s.name->>t.default_locale, s.id) AS service_name, p.display_name AS specialist_name,
    coalesce(l.name->>t.default_locale, l.city) AS location_name, l.time_zone AS location_zone
  FROM bookings b JOIN tenants t ON t.id = b.tenant_id
    JOIN services s ON s.id = b.service_id
    JOIN specialists p ON p.id = b.specialist_id
    JOIN locations l ON l.id = b.location_id
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status = 'confirmed' AND b.ends_at > ${param.timestamptz('now')}
    AND b.starts_at > ${param.timestamptz('from')} AND b.starts_at < ${param.timestamptz('to')}
    AND coalesce(${nullable(param.text('specialistId'))}, b.specialist_id) = b.specialist_id
    AND coalesce(${nullable(param.text('locationId'))}, b.location_id) = b.location_id
  ORDER BY b.starts_at, b.reference LIMIT ${param.int('limit')}`;
