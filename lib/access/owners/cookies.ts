import { env } from '@/lib/platform/env';

const PURPOSES = ['session', 'callback', 'csrf', 'pkce', 'state', 'nonce', 'changed'] as const;

/** Returns whether browsers send the cookies only over TLS. */
export function secureCookies(): boolean {
  return env().origin.startsWith('https:');
}

/**
 * Returns the name of a cookie. Browsers accept a cookie with the prefix `__Host-` only over TLS, only for the host
 * that sets it, and only with the path `/`. No other host can therefore set the cookie. The name contains the
 * environment, because browsers would otherwise mix the cookies of TEST and LIVE if both run on one host with different
 * ports.
 */
export function cookieName(purpose: (typeof PURPOSES)[number]): string {
  return `${secureCookies() ? '__Host-' : ''}partner-booking-${env().ENVIRONMENT.toLowerCase()}.${purpose}`;
}

/**
 * Returns the Set-Cookie header for the response to a change, or null if there is no replica. While the browser sends
 * this cookie, the lists that it requests are read from the primary, so that people see their own changes. When the
 * cookie expires, `REPLICA_MAX_LAG` has passed, so every replica that is read contains the change.
 */
export function changedCookie(): string | null {
  const { DATABASE_REPLICA_URL, REPLICA_MAX_LAG } = env();
  if (!DATABASE_REPLICA_URL) return null;
  const maxAge = Math.ceil(REPLICA_MAX_LAG / 1000) + 1;
  const secure = secureCookies() ? '; Secure' : '';
  return `${cookieName('changed')}=1; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the names of all Control Center cookies. */
export function cookieNames(): Set<string> {
  return new Set(PURPOSES.map(cookieName));
}
