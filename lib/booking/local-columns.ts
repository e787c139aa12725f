import { sql } from '@/lib/platform/sql';

/**
 * An earlier version changes a booking `b` without its local times, and a job then derives them again
 * (`derive-local.ts`).
 */
export const IS_LOCAL = sql`b.local_version IS NOT DISTINCT FROM b.version`;

/** A partial index has the same condition. */
export const LACKS_LOCAL = sql`(b.local_version IS DISTINCT FROM b.version OR b.end_time IS NULL)`;

/** As text. Null until it is derived. */
export const LOCAL_START = sql`CASE WHEN ${IS_LOCAL} THEN to_char(b.date, 'YYYY-MM-DD') END AS date,
  CASE WHEN ${IS_LOCAL} THEN to_char(b.start_time, 'HH24:MI') END AS start_time`;

/** As text. Null until they are derived. */
export const LOCAL_COLUMNS = sql`${LOCAL_START},
  CASE WHEN ${IS_LOCAL} THEN to_char(b.end_date, 'YYYY-MM-DD') END AS end_date,
  CASE WHEN ${IS_LOCAL} THEN to_char(b.end_time, 'HH24:MI') END AS end_time`;
