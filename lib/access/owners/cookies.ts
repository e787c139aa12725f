import { env } from '@/lib/platform/env';

const PURPOSES = ['session', 'callback', 'csrf', 'pkce', 'state', 'nonce'] as const;

/** Returns whether browsers send the cookies only over TLS. */
export function secureCookies(): boolean {
  return env().origin.startsWith('https:');
}

/**
 * Returns the name of a cookie. Only this host can set one with the prefix `__Host-`, over TLS. The name contains the
 * environment, because browsers would otherwise mix the cookies of TEST and LIVE on different ports of one host.
 */
export function cookieName(purpose: (typeof PURPOSES)[number]): string {
  return `${secureCookies() ? '__Host-' : ''}partner-booking-${env().ENVIRONMENT.toLowerCase()}.${purpose}`;
}

/** Returns the names of all Control Center cookies. */
export function cookieNames(): Set<string> {
  return new Set(PURPOSES.map(cookieName));
}
