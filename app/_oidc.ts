import type { NextAuthOptions } from 'next-auth';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import { signInVerified } from '@/lib/access/owners/sign-in';
import { systemClock } from '@/lib/platform/clock';
import { oidcSettings } from '@/lib/platform/env';

/** Milliseconds that a call to the provider may take. */
const TIMEOUT = 5_000;

/** What the provider says of a person; it may leave out anything. */
type Claims = { sub: string; email?: unknown; email_verified?: unknown };

/** Returns the OpenID provider of the settings as next-auth knows one; none when there is none. */
export function oidcProviders(): OAuthConfig<Claims>[] {
  const settings = oidcSettings();
  if (!settings) return [];
  const { issuer, clientId, clientSecret, name } = settings;
  return [
    {
      id: 'oidc',
      name,
      type: 'oauth',
      issuer,
      wellKnown: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      clientId,
      clientSecret,
      authorization: { params: { scope: 'openid email' } },
      idToken: true,
      userinfo: { request: claimsOf },
      // Each closes another way to pass on somebody else's answer.
      checks: ['pkce', 'state', 'nonce'],
      httpOptions: { timeout: TIMEOUT },
      profile: ({ sub }) => ({ id: sub }),
    },
  ];
}

/**
 * Returns what the provider says of a person: in the token that it has signed, else where it may say the rest (OpenID
 * Connect Core 5.4). The client refuses an answer about another person than the token's.
 */
const claimsOf: UserinfoEndpointHandler['request'] = async ({ tokens, client }) => {
  const vouched = tokens as typeof tokens & Exclude<Parameters<typeof client.userinfo>[0], string>;
  const said = vouched.claims();
  return said.email === undefined ? client.userinfo(vouched) : said;
};

/**
 * Lets in whom the provider has vouched for: a member with the e-mail address that the provider has verified. An address
 * that anybody can type into their profile there would open anybody's account here.
 */
export const vouchedSignIn: NonNullable<NextAuthOptions['callbacks']>['signIn'] = async ({
  user,
  account,
  profile,
}) => {
  if (account?.provider !== 'oidc') return true;
  const { email, email_verified } = profile as unknown as Claims;
  if (typeof email !== 'string' || email.includes('\0') || email_verified !== true) return false;
  const sessionId = await signInVerified(email, systemClock());
  if (sessionId === null) return false;
  // What the cookie will name.
  user.id = sessionId;
  return true;
};
