import { headers } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import { providerAddress } from '@/lib/access/owners/email';
import type { SigningIn } from '@/lib/access/owners/session';
import { signInVerified } from '@/lib/access/owners/sign-in';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { oidcSettings } from '@/lib/platform/env';

const TIMEOUT_MS = 5_000;

type Claims = { sub: string; email?: unknown; email_verified?: unknown; auth_time?: unknown };

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
      httpOptions: { timeout: TIMEOUT_MS },
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
/** Maximum length of a subject (OpenID Connect Core 2). */
const MAX_SUBJECT = 255;

/** The page to which a user of the provider returns whose address belongs to the account of another user. */
const OTHER_IDENTITY = '/sign-in?error=OtherIdentity';

/**
 * Accepts a sign-in only if the provider has verified the email address. Otherwise, an attacker could set a member's
 * address in the attacker's own profile at the provider, and take over the member's account.
 * @param signingIn returns what the browser sends with the sign-in.
 */
export async function vouchedSignIn(
  { user, account, profile }: SignInParams,
  signingIn: () => Promise<SigningIn>,
): Promise<boolean | string> {
  if (account?.provider !== 'oidc') return true;
  const { sub: subject, email_verified, ...claims } = profile as unknown as Claims;
  const email = providerAddress(claims.email);
  const issuer = oidcSettings()?.issuer.replace(/\/$/, '');
  if (issuer === undefined || email === null || email_verified !== true) return false;
  if (typeof subject !== 'string' || subject === '' || subject.length > MAX_SUBJECT || subject.includes('\0'))
    return false;
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  const { auth_time: seconds } = claims;
  const authenticated = typeof seconds === 'number' && seconds > 0 && { authenticatedAt: new Date(seconds * 1_000) };
  const person = { issuer, subject, email, ...authenticated };
  const result = await signInVerified(new Date(), person, address, await signingIn());
  if (result === 'other_identity') return OTHER_IDENTITY;
  if (result === 'unknown') return false;
  // next-auth stores this id in the session cookie.
  user.id = result.sessionId;
  return true;
}
