import { env } from '@/lib/platform/env';

/** The purposes of the Control Center's cookies. The name of a cookie contains its purpose. */
const PURPOSES = ['session', 'callback', 'csrf', 'pkce', 'state', 'nonce'] as const;

/** Returns whether cookies are sent over TLS only. */
export function secureCookies(): boolean {
  return env().origin.startsWith('https:');
}

/**
 * Returns the name of a cookie. A browser accepts a cookie with the prefix `__Host-` only if it is sent over TLS, has
 * no domain, and applies to all paths of the host. Another host in the same domain therefore cannot set the cookie.
 * Browsers do not separate cookies by port, so the name contains the environment. Otherwise, TEST and LIVE on one host
 * would overwrite each other's cookies.
 */
export function cookieName(purpose: (typeof PURPOSES)[number]): string {
  return `${secureCookies() ? '__Host-' : ''}partner-booking-${env().ENVIRONMENT.toLowerCase()}.${purpose}`;
}

/** Returns the names of all Control Center cookies. */
export function cookieNames(): Set<string> {
  return new Set(PURPOSES.map(cookieName));
}
