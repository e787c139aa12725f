import { sql } from '@/lib/platform/sql';

/**
 * Whether the stored local date and time of a booking `b` are those of its current version. An earlier version of the
 * software changes a booking without them, and a job then derives them again (`derive-local.ts`).
 */
export const IS_LOCAL = sql`b.local_version IS NOT DISTINCT FROM b.version`;

/** Whether the local start or end of a booking `b` must still be derived. A partial index has the same condition. */
export const LACKS_LOCAL = sql`(b.local_version IS DISTINCT FROM b.version OR b.end_time IS NULL)`;

/** The local start of a booking `b`, as text. Null until it is derived. */
export const LOCAL_START = sql`CASE WHEN ${IS_LOCAL} THEN to_char(b.date, 'YYYY-MM-DD') END AS date,
  CASE WHEN ${IS_LOCAL} THEN to_char(b.start_time, 'HH24:MI') END AS start_time`;

/** The local start and end of a booking `b`, as text. Null until they are derived. */
export const LOCAL_COLUMNS = sql`${LOCAL_START},
  CASE WHEN ${IS_LOCAL} THEN to_char(b.end_date, 'YYYY-MM-DD') END AS end_date,
  CASE WHEN ${IS_LOCAL} THEN to_char(b.end_time, 'HH24:MI') END AS end_time`;
