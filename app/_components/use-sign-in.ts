'use client';

import { getCsrfToken, signIn } from 'next-auth/react';

/** The result of a sign-in attempt. */
export type SignInResult = { ok: true } | { ok: false; message: string };

const MESSAGES: Record<string, string> = {
  CredentialsSignin: 'Wrong email address or password.',
  rate_limited: 'Too many attempts. Try again in a minute.',
};

/** Signs in without leaving the page. If the sign-in fails, the result contains a message for the user. */
export async function signInWith(email: string, password: string): Promise<SignInResult> {
  // Requests a new CSRF token, because the token of a page that was open for a long time may be outdated.
  await getCsrfToken();
  const result = await signIn('credentials', { email, password, redirect: false });
  if (result?.ok && !result.error) return { ok: true };
  return { ok: false, message: MESSAGES[result?.error ?? ''] ?? 'Sign-in failed. Try again in a moment.' };
}
