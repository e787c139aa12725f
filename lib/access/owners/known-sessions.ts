import { LRUCache } from 'lru-cache';
import { singleton } from '@/lib/platform/singleton';
import { cookieName } from './cookies';

/** Milliseconds after the check in the database. */
const LIFETIME = 300_000;
/** Each takes about 1 KB. */
const MAX_SESSIONS = 1_000;

function sessions(): LRUCache<string, string> {
  return singleton('owners:known-sessions', () => new LRUCache({ max: MAX_SESSIONS, ttl: LIFETIME }));
}

/** Remembers the session of a cookie. Call this only after its session was found in the database. */
export function rememberSession(cookie: string, sessionId: string): void {
  sessions().set(cookie, sessionId);
}

/** Returns the id of a recently checked session, or null. It is no proof of access: the session may have ended. */
export function knownSession(header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${cookieName('session')}=`;
  const pair = header.split('; ').find((one) => one.startsWith(start));
  return pair === undefined ? null : (sessions().get(pair.slice(start.length)) ?? null);
}
