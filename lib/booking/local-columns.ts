import { sql } from '@/lib/platform/sql';

/**
 * Whether the stored local date and time of a booking `b` are those of its current version. An earlier version of the
 * software changes a booking without them, and a job then derives them again (`derive-local.ts`).
 */
export const IS_LOCAL = sql`b.local_version IS NOT DISTINCT FROM b.version`;

/** The columns of `LocalColumns`. */
export const LOCAL_COLUMNS = sql`CASE WHEN ${IS_LOCAL} THEN to_char(b.date, 'YYYY-MM-DD') END AS date,
  CASE WHEN ${IS_LOCAL} THEN to_char(b.start_time, 'HH24:MI') END AS start_time`;
