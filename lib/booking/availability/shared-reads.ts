import { batched } from '@/lib/platform/batch';
import { readRows } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { type Busy, type ClaimGroup, type ClaimsRequest, readClaimGroups } from './claims';
import { MEDIUM_DAYS } from './read-turns';

const MINUTES_PER_DAY = 1_440;
const MAX_REQUESTS = 32;

/** Returns what a request asks for. Several callers can get the same result, so they must not change it. */
export type ClaimsReader = (request: ClaimsRequest) => Promise<Busy<ClaimGroup>>;

/**
 * Reads the claims and blocks of a request through the pool. The size of a request is its number of days times its number of
 * specialists. Requests up to `MEDIUM_DAYS` share queries (see `batched`), and equal requests among them share one
 * result. Each larger request has its own query.
 */
export const readSharedClaims: ClaimsReader = async (request) => {
  const days = ((request.to - request.from) / MINUTES_PER_DAY) * request.specialistIds.length;
  if (days <= MEDIUM_DAYS) return batch()(request);
  const [busy = NOTHING] = await readClaimGroups(readRows, [request]);
  return busy;
};

function batch() {
  return singleton('availability:claims', () => batched(readTogether));
}

const NOTHING: Busy<ClaimGroup> = { claims: [], blocks: [] };

async function readTogether(requests: ClaimsRequest[]): Promise<Busy<ClaimGroup>[]> {
  const keys = requests.map(
    ({ specialistIds, location, from, to, own }) => `${from} ${to} ${own} ${location.id} ${specialistIds.join(' ')}`,
  );
  const different = [...new Map(requests.map((request, index) => [keys[index], request])).values()];
  const parts: Promise<Busy<ClaimGroup>[]>[] = [];
  for (let at = 0; at < different.length; at += MAX_REQUESTS) {
    parts.push(readClaimGroups(readRows, different.slice(at, at + MAX_REQUESTS)));
  }
  const results = (await Promise.all(parts)).flat();
  const found = new Map([...new Set(keys)].map((key, index) => [key, results[index] ?? NOTHING]));
  return keys.map((key) => found.get(key) ?? NOTHING);
}
