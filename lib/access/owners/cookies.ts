import { env } from '@/lib/platform/env';

const PURPOSES = ['session', 'callback', 'csrf', 'pkce', 'state', 'nonce'] as const;

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

/** Returns the names of all Control Center cookies. */
export function cookieNames(): Set<string> {
  return new Set(PURPOSES.map(cookieName));
}
