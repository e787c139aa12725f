import { LRUCache } from 'lru-cache';
import { singleton } from '@/lib/platform/singleton';
import { cookieName } from './cookies';

/** Milliseconds after its last check for which a session counts as known. */
const LIFETIME = 300_000;
/** Maximum number of known sessions. Each takes about 1 KB, for its cookie. */
const MAX_SESSIONS = 1_000;

function sessions(): LRUCache<string, string> {
  return singleton('owners:known-sessions', () => new LRUCache({ max: MAX_SESSIONS, ttl: LIFETIME }));
}

/**
 * Records that a session cookie was decrypted and that its session is live.
 * @param cookie the value of the cookie.
 */
export function rememberSession(cookie: string, sessionId: string): void {
  sessions().set(cookie, sessionId);
}

/**
 * Returns the id of the session whose cookie is in a Cookie header, or null if this process has not checked that cookie
 * recently. The session may have ended since, so the result grants no access. It only identifies a client.
 */
export function knownSession(header: string | undefined): string | null {
  if (header === undefined) return null;
  const start = `${cookieName('session')}=`;
  const pair = header.split('; ').find((one) => one.startsWith(start));
  return pair === undefined ? null : (sessions().get(pair.slice(start.length)) ?? null);
}
