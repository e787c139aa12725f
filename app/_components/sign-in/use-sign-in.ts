'use client';

import { getCsrfToken, getSession, signIn } from 'next-auth/react';
import type { Translator } from '../language';

/** The result of a sign-in attempt. If `secondStep` is true, the user must complete the sign-in with a second factor. */
export type SignInResult = { ok: true; secondStep: boolean } | { ok: false; message: string };

/**
 * Maximum number of delays during one sign-in. After the first delay, the attempt is sent with a ticket. The server
 * demands a second delay only if this ticket is not valid, for example because it has expired.
 */
const MAX_DELAYS = 2;

/**
 * Signs in without leaving the page. If the sign-in fails, the result contains a message for the user. After many
 * attempts on an account, the server does not check the next attempt. Instead, it responds with a delay and a ticket.
 * This function waits for the delay, then sends the attempt again with the ticket.
 * @param tenant The id of the tenant to open, because an address can have several accounts. Null if any tenant will do.
 * @param onDelay Called with the number of seconds at the start of each delay.
 */
export async function signInWith(
  { email, password, tenant }: { email: string; password: string; tenant: string | null },
  t: Translator<'common.signIn'>,
  onDelay: (seconds: number) => void = () => {},
): Promise<SignInResult> {
  let ticket = '';
  for (let delays = 0; ; delays += 1) {
    // Loads a new CSRF token, because the token may be outdated if the page has been open for a long time.
    await getCsrfToken();
    const result = await signIn('credentials', { email, password, tenant: tenant ?? '', ticket, redirect: false });
    if (result?.ok && !result.error) return { ok: true, secondStep: (await getSession())?.secondStep === true };
    const delay = /^delayed:(\d{1,2}):(\S+)$/.exec(result?.error ?? '');
    if (!delay?.[2] || delays === MAX_DELAYS) return { ok: false, message: t(reasonOf(result?.error)) };
    const seconds = Number(delay[1]);
    onDelay(seconds);
    ticket = delay[2];
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** The result of a sign-in's second step. If `expired` is true, the sign-in must start over. */
export type SecondStepResult = { ok: true } | { ok: false; message: string; expired: boolean };

/** What a person gives in the second step: a code of the authenticator app or a recovery code, or a passkey's response. */
export type Proof = { code: string } | { passkey: string };

/** Completes a sign-in with a code, which can be a recovery code, or with a passkey's response as JSON. */
export async function completeWith(
  proof: Proof,
  t: Translator<'common.secondStep'>,
  tSignIn: Translator<'common.signIn'>,
): Promise<SecondStepResult> {
  await getCsrfToken();
  const result = await signIn('second-step', { ...proof, redirect: false });
  if (result?.ok && !result.error) return { ok: true };
  const error = result?.error ?? '';
  const reason = reasonOf(error);
  if (reason === 'incorrect' && 'passkey' in proof) return { ok: false, message: t('passkeyRefused'), expired: false };
  const message = reason === 'failed' ? tSignIn('failed') : t(reason);
  return { ok: false, message, expired: error === 'step_expired' };
}

function reasonOf(error: string | null | undefined): 'incorrect' | 'tooMany' | 'failed' {
  if (error === 'CredentialsSignin') return 'incorrect';
  return error === 'rate_limited' ? 'tooMany' : 'failed';
}
