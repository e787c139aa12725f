import { LRUCache } from 'lru-cache';
import { singleton } from '@/lib/platform/singleton';
import { countUnloggedRefusal } from '../metrics/counters';

/** Entries per address and minute: its failure quota (contract B2), and one above it. */
const MAX_ENTRIES = 31;
const WINDOW = 60_000;
/** Maximum addresses in memory, of about 200 bytes each. */
const MAX_ADDRESSES = 20_000;

function windows(): LRUCache<string, { entries: number }> {
  return singleton('request-log:refusals', () => new LRUCache({ max: MAX_ADDRESSES, ttl: WINDOW }));
}

/**
 * Returns whether a request from this address, refused before it was admitted, gets a log entry. Further ones in the
 * same minute are only counted: a client without a valid key must not fill the log.
 */
export function mayLogRefusal(address: string): boolean {
  const window = windows().get(address);
  if (window) window.entries += 1;
  else windows().set(address, { entries: 1 });
  if (!window || window.entries <= MAX_ENTRIES) return true;
  countUnloggedRefusal();
  return false;
}
