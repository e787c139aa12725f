import { LRUCache } from 'lru-cache';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { singleton } from '@/lib/platform/singleton';
import { countUnloggedRefusal } from '../metrics/counters';

/** Per client network and minute. Contract B2 allows 30 failures; one more entry is for the first refusal above. */
export const MAX_REFUSALS = 31;
const WINDOW = 60_000;
/** Each takes about 200 bytes of memory. */
const MAX_NETWORKS = 20_000;

function windows(): LRUCache<string, { entries: number }> {
  return singleton('request-log:refusals', () => new LRUCache({ max: MAX_NETWORKS, ttl: WINDOW }));
}

/**
 * Returns whether the refusal of an unauthenticated request gets a log entry. Beyond `MAX_REFUSALS`, refusals are only
 * counted, so that a client without a valid key cannot fill the log.
 */
export function mayLogRefusal(address: string): boolean {
  const network = networkOf(address);
  const window = windows().get(network);
  if (window) window.entries += 1;
  else windows().set(network, { entries: 1 });
  if (!window || window.entries <= MAX_REFUSALS) return true;
  countUnloggedRefusal();
  return false;
}
