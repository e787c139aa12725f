import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { DAY, parseDay } from '@/lib/platform/time-zones';
import type { BlockedTime } from '../availability/input';
import { docOf } from './change';
import type { BlockDoc } from './schema';
import { BLOCK_COLUMNS, type BlockRow } from './statements';

/** Maximum number of blocks that a list contains. The soonest are listed. */
const MAX_LISTED = 200;

/** A block as pages show it. `reason` is null for members who may not see it. */
export type BlockRecord = BlockDoc & {
  id: string;
  version: number;
  specialist_id: string | null;
  location_id: string | null;
  source: string;
};

type Query = {
  tenantId: string;
  specialistId: string | null;
  locationId: string | null;
  /** Whether the reasons are returned. They are private. */
  reasons: boolean;
};

const LIST = statement<BlockRow>()`
  SELECT ${BLOCK_COLUMNS} FROM blocks k
  WHERE k.tenant_id = ${param.text('tenantId')} AND k.subject_id = ${param.text('subjectId')} AND k.source = 'owner' AND k.last_day >= ${param.date('today')}
  ORDER BY k.starts_at, k.id LIMIT ${param.int('limit')}`;

/** Returns the blocks that owners made of a specialist, a location, or the whole business, and that have not ended. */
export async function listBlocks(
  now: Date,
  { tenantId, specialistId, locationId, reasons }: Query,
): Promise<{ blocks: BlockRecord[]; truncated: boolean }> {
  const subjectId = specialistId ?? locationId ?? tenantId;
  // The local date can be a day behind UTC.
  const today = new Date(now.getTime() - DAY * 60_000).toISOString().slice(0, 10);
  const { rows } = await pool().query<BlockRow>(bind(LIST, { tenantId, subjectId, today, limit: MAX_LISTED + 1 }));
  return {
    blocks: rows.slice(0, MAX_LISTED).map((row) => recordOf(row, reasons)),
    truncated: rows.length > MAX_LISTED,
  };
}

function recordOf(row: BlockRow, reasons: boolean): BlockRecord {
  const { id, version, specialist_id, location_id, source } = row;
  const doc = docOf(row);
  return { id, version, specialist_id, location_id, source, ...doc, reason: reasons ? doc.reason : null };
}

const OF_DAYS = statement<BlockRow & { day: string; from_minute: number; to_minute: number }>()`
  SELECT ${BLOCK_COLUMNS}, to_char(d.day, 'YYYY-MM-DD') AS day, d.from_minute, d.to_minute
  FROM block_days d JOIN blocks k ON k.tenant_id = d.tenant_id AND k.subject_id = d.subject_id AND k.id = d.block_id
  WHERE d.tenant_id = ${param.text('tenantId')} AND d.subject_id = ANY(${param.texts('subjectIds')})
    AND d.day BETWEEN ${param.date('first')} AND ${param.date('last')}
  ORDER BY d.day, d.from_minute, k.id LIMIT ${param.int('limit')}`;

const MAX_SHOWN = 2_000;

/** A part of a block on one local day. */
export type ShownBlock = BlockedTime & { block: BlockRecord };

/** Returns the blocks of some specialists, locations, or the tenant on the local days `first` to `last`, in order. */
export async function blocksOfDays(
  { tenantId, reasons }: Pick<Query, 'tenantId' | 'reasons'>,
  subjectIds: readonly string[],
  first: string,
  last: string,
): Promise<ShownBlock[]> {
  const values = { tenantId, subjectIds, first, last, limit: MAX_SHOWN };
  const { rows } = await pool().query<BlockRow & { day: string; from_minute: number; to_minute: number }>(
    bind(OF_DAYS, values),
  );
  return rows.map((row) => {
    const midnight = parseDay(row.day) * DAY;
    const times = { from: midnight + row.from_minute, to: midnight + row.to_minute };
    return { subjectId: row.subject_id, ...times, block: recordOf(row, reasons) };
  });
}
