import { headers } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import type { SigningIn } from '@/lib/access/owners/session';
import { signInVerified } from '@/lib/access/owners/sign-in';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { systemClock } from '@/lib/platform/clock';
import { oidcSettings } from '@/lib/platform/env';

/** Timeout of calls to the OpenID provider, in milliseconds. */
const TIMEOUT = 5_000;

/** The claims of a user at the OpenID provider. All claims but `sub` are optional. */
type Claims = { sub: string; email?: unknown; email_verified?: unknown };

/** Returns a list with the OpenID provider for next-auth; an empty list if no provider is configured. */
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
      // Each check prevents one kind of attack in which the response to one sign-in is injected into another sign-in.
      checks: ['pkce', 'state', 'nonce'],
      httpOptions: { timeout: TIMEOUT },
      profile: ({ sub }) => ({ id: sub }),
    },
  ];
}

/**
 * Returns a user's claims from the ID token, or from the userinfo endpoint if the token has no email address (OpenID
 * Connect Core 5.4). The client rejects a userinfo response whose subject differs from the subject of the token.
 */
const claimsOf: UserinfoEndpointHandler['request'] = async ({ tokens, client }) => {
  const verified = tokens as typeof tokens & Exclude<Parameters<typeof client.userinfo>[0], string>;
  const claims = verified.claims();
  return claims.email === undefined ? client.userinfo(verified) : claims;
};

type SignInParams = Parameters<NonNullable<NonNullable<NextAuthOptions['callbacks']>['signIn']>>[0];

/**
 * Accepts a sign-in only if the provider has verified the email address. Otherwise, an attacker could set a member's
 * address in the attacker's own profile at the provider, and take over the member's account.
 * @param signingIn returns what the browser sends with the sign-in.
 */
export async function vouchedSignIn(
  { user, account, profile }: SignInParams,
  signingIn: () => Promise<SigningIn>,
): Promise<boolean> {
  if (account?.provider !== 'oidc') return true;
  const { email, email_verified } = profile as unknown as Claims;
  if (typeof email !== 'string' || email.includes('\0') || email_verified !== true) return false;
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  const sessionId = await signInVerified(email, address, systemClock(), await signingIn());
  if (sessionId === null) return false;
  // next-auth stores this id in the session cookie.
  user.id = sessionId;
  return true;
}
