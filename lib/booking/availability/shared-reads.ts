import { batched } from '@/lib/platform/batch';
import { readRows } from '@/lib/platform/db';
import { singleton } from '@/lib/platform/singleton';
import { type ClaimGroup, type ClaimsRequest, readClaimGroups } from './claims';
import { MEDIUM_DAYS } from './read-turns';

const MINUTES_PER_DAY = 1_440;
const MAX_REQUESTS = 32;

/** Several callers can get the same array, so they must not change it. */
export type ClaimsReader = (request: ClaimsRequest) => Promise<readonly ClaimGroup[]>;

/**
 * Reads the claims of a request through the pool. Requests up to `MEDIUM_DAYS` specialist days share queries (see
 * `batched`), and equal ones a result. Each larger request has its own query.
 */
export const readSharedClaims: ClaimsReader = async (request) => {
  const days = ((request.to - request.from) / MINUTES_PER_DAY) * request.specialistIds.length;
  if (days <= MEDIUM_DAYS) return batch()(request);
  const [groups = []] = await readClaimGroups(readRows, [request]);
  return groups;
};

function batch() {
  return singleton('availability:claims', () => batched(readTogether));
}

async function readTogether(requests: ClaimsRequest[]): Promise<ClaimGroup[][]> {
  const keys = requests.map(({ specialistIds, from, to, own }) => `${from} ${to} ${own} ${specialistIds.join(' ')}`);
  const different = [...new Map(requests.map((request, index) => [keys[index], request])).values()];
  const parts: Promise<ClaimGroup[][]>[] = [];
  for (let at = 0; at < different.length; at += MAX_REQUESTS) {
    parts.push(readClaimGroups(readRows, different.slice(at, at + MAX_REQUESTS)));
  }
  const groups = (await Promise.all(parts)).flat();
  const found = new Map([...new Set(keys)].map((key, index) => [key, groups[index] ?? []]));
  return keys.map((key) => found.get(key) ?? []);
}
