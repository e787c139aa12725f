import { env } from '@/lib/platform/env';

/** The cookies of the Control Center, each named after its purpose. */
const PURPOSES = ['session', 'callback', 'csrf', 'pkce', 'state', 'nonce'] as const;

/** Returns whether cookies are sent over TLS only. */
export function secureCookies(): boolean {
  return env().origin.startsWith('https:');
}

/**
 * Returns the name of a cookie. With the prefix `__Host-`, a browser accepts the cookie only over TLS, without a domain,
 * and for the whole host, so another host of the domain cannot set it. The name contains the environment because browsers do not separate cookies by port.
 * Otherwise, TEST and LIVE on one host would overwrite each other's cookies.
 */
export function cookieName(purpose: (typeof PURPOSES)[number]): string {
  return `${secureCookies() ? '__Host-' : ''}partner-booking-${env().ENVIRONMENT.toLowerCase()}.${purpose}`;
}

/** Returns the names of all cookies of the Control Center. */
export function cookieNames(): Set<string> {
  return new Set(PURPOSES.map(cookieName));
}
