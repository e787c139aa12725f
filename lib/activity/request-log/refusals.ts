import { LRUCache } from 'lru-cache';
import { singleton } from '@/lib/platform/singleton';
import { countUnloggedRefusal } from '../metrics/counters';

/**
 * Maximum number of log entries per address and minute: one for each failure that the address's quota allows (contract
 * B2), and one for the first refusal above the quota.
 */
const MAX_ENTRIES = 31;
const WINDOW = 60_000;
/** Maximum number of addresses in memory. Each takes about 200 bytes. */
const MAX_ADDRESSES = 20_000;

function windows(): LRUCache<string, { entries: number }> {
  return singleton('request-log:refusals', () => new LRUCache({ max: MAX_ADDRESSES, ttl: WINDOW }));
}

/**
 * Returns whether a request that was refused before authentication succeeded gets a log entry. Once an address has
 * reached its limit, its further refusals are only counted, so that a client without a valid key cannot fill the log.
 */
export function mayLogRefusal(address: string): boolean {
  const window = windows().get(address);
  if (window) window.entries += 1;
  else windows().set(address, { entries: 1 });
  if (!window || window.entries <= MAX_ENTRIES) return true;
  countUnloggedRefusal();
  return false;
}
