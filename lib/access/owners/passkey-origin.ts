import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { env } from '@/lib/platform/env';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';

const CHALLENGE_LIFE_MS = 300_000;

/** Returns the domain of passkeys, or null if browsers allow none for this deployment's origin. */
export function passkeyDomain(): string | null {
  const { protocol, hostname } = new URL(env().origin);
  if (hostname === 'localhost') return hostname;
  return protocol === 'https:' && !ipaddr.isValid(hostname.replaceAll(/[[\]]/g, '')) ? hostname : null;
}

/**
 * Returns the origin that a browser's response must state, from the signed data in base64url. On localhost, any port
 * counts, because a container may publish the server on another one.
 */
export function expectedOrigin(clientData: string): string {
  const { origin } = env();
  if (passkeyDomain() !== 'localhost') return origin;
  const { origin: given } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { origin?: unknown };
  return typeof given === 'string' && URL.canParse(given) && new URL(given).hostname === 'localhost' ? given : origin;
}

/**
 * Returns a challenge for a session that adds a passkey, or a second step, valid for five minutes. It is not stored.
 * Repeated use is safe: a second step ends on its first success, and a credential can be added only once.
 */
export function challengeFor(holder: string, now: Date): string {
  return signed(
    `${now.getTime() + CHALLENGE_LIFE_MS}.${randomBytes(16).toString('hex')}`,
    holder,
    tokenKeyFor('passkey'),
  );
}

/** Returns whether a challenge in base64url was made for `holder` and has not expired. */
export function isChallengeFor(holder: string, challenge: string, now: Date): boolean {
  const text = Buffer.from(challenge, 'base64url').toString();
  const [expires = '', random = ''] = text.split('.');
  const given = Buffer.from(text);
  const matches = (key: Buffer) => {
    const expected = Buffer.from(signed(`${expires}.${random}`, holder, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return acceptedTokenKeys('passkey').some(matches) && now.getTime() < Number(expires);
}

function signed(text: string, holder: string, key: Buffer): string {
  return `${text}.${createHmac('sha256', key).update(`${text} ${holder}`).digest('hex')}`;
}
