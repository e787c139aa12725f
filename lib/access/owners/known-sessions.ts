import { LRUCache } from 'lru-cache';
import { singleton } from '@/lib/platform/singleton';
import { cookieName } from './cookies';

/** Milliseconds for which a session counts as known after it was checked in the database. */
const LIFETIME = 300_000;
/** Maximum number of known sessions. Each takes about 1 KB. */
const MAX_SESSIONS = 1_000;

function sessions(): LRUCache<string, string> {
  return singleton('owners:known-sessions', () => new LRUCache({ max: MAX_SESSIONS, ttl: LIFETIME }));
}

/**
 * Remembers which session a cookie belongs to. Call this only after the cookie was decrypted and its session was found
 * in the database.
 * @param cookie the value of the cookie.
 */
export function rememberSession(cookie: string, sessionId: string): void {
  sessions().set(cookie, sessionId);
}

/**
 * Returns the id of the session in a Cookie header if this process has checked the session recently, otherwise null.
 * The limit on concurrent requests uses this id to identify clients. It is not a proof of access: the session may have
 * ended since the check.
 */
export function knownSession(header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${cookieName('session')}=`;
  const pair = header.split('; ').find((one) => one.startsWith(start));
  return pair === undefined ? null : (sessions().get(pair.slice(start.length)) ?? null);
}
