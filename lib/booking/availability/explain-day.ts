import { roomOf } from './busy';
import { type ExplainedStart, type ExplainQuery, explainStarts } from './explain';
import type { BlockedTime, Claim } from './query';
import { paddedRange } from './query';
import type { BusyReader } from './shared-reads';

type Query = Omit<ExplainQuery, 'claims' | 'blocks' | 'now'> & { now: Date };

/** Reads the claims and blocks of a day, and returns why its starts can or cannot be booked (contract B18). */
export async function explainDay(read: BusyReader, query: Query): Promise<ExplainedStart[]> {
  const now = query.now.getTime();
  return explainStarts({ ...query, now, ...(await readBusy(read, query, now)) });
}

type BusyDay = { claims: readonly Claim[]; blocks: readonly BlockedTime[] };

async function readBusy(read: BusyReader, query: Query, now: number): Promise<BusyDay> {
  const { service, location, specialists, specialistId = null } = query;
  const range = paddedRange({ service, location, date: query.date, now });
  const ids = specialists.flatMap(({ id }) => (specialistId === null || id === specialistId ? [id] : []));
  // No start of the day is within the lead time and the horizon, or nobody can be busy.
  if (!range || ids.length === 0) return { claims: [], blocks: [] };
  return read({ specialistIds: ids, location, ranges: [range], room: roomOf(service) });
}
