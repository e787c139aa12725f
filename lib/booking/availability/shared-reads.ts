import { batched } from '@/lib/platform/batch';
import { readRows } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { MEDIUM_DAYS } from '../read-turns';
import { type Busy, type BusyRequest, readBusy } from './claims';
import type { Claim } from './input';

const MINUTES_PER_DAY = 1_440;
const MAX_REQUESTS = 32;

/** Returns what a request asks for. Several callers can get the same result, so they must not change it. */
export type BusyReader = (request: BusyRequest) => Promise<Busy<Claim>>;

/**
 * Reads the claims and blocks of a request through the pool. The size of a request is its number of days times its number of
 * specialists. Requests up to `MEDIUM_DAYS` share queries (see `batched`), and equal requests among them share one
 * result. Each larger request has its own query.
 */
export const readSharedBusy: BusyReader = async (request) => {
  const { ranges, specialistIds } = request;
  const days = ((ranges.at(-1)?.to ?? 0) - (ranges[0]?.from ?? 0)) / MINUTES_PER_DAY;
  if (days * specialistIds.length <= MEDIUM_DAYS) return batch()(request);
  const [busy = NOTHING] = await readBusy(readRows, [request]);
  return busy;
};

function batch() {
  return singleton('availability:claims', () => batched(readTogether));
}

const NOTHING: Busy<Claim> = { claims: [], blocks: [] };

async function readTogether(requests: BusyRequest[]): Promise<Busy<Claim>[]> {
  const keys = requests.map(({ specialistIds, location, ranges, room, own }) =>
    [ranges.map(({ from, to }) => `${from}-${to}`), room, own, location.id, ...specialistIds].join(' '),
  );
  const different = [...new Map(requests.map((request, index) => [keys[index], request])).values()];
  const parts: Promise<Busy<Claim>[]>[] = [];
  for (let at = 0; at < different.length; at += MAX_REQUESTS) {
    parts.push(readBusy(readRows, different.slice(at, at + MAX_REQUESTS)));
  }
  const results = (await Promise.all(parts)).flat();
  const found = new Map([...new Set(keys)].map((key, index) => [key, results[index] ?? NOTHING]));
  return keys.map((key) => found.get(key) ?? NOTHING);
}
