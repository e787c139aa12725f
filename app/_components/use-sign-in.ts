'use client';

import { getCsrfToken, signIn } from 'next-auth/react';

/** What came of an attempt to sign in. */
export type SignInResult = { ok: true } | { ok: false; message: string };

const MESSAGES: Record<string, string> = {
  CredentialsSignin: 'The e-mail address or the password is wrong.',
  rate_limited: 'Too many attempts. Wait a minute, then try again.',
};

/** Signs in without leaving the page; the message is for the person in front of it. */
export async function signInWith(email: string, password: string): Promise<SignInResult> {
  // A page that was open for long may hold a token of a session that is gone.
  await getCsrfToken();
  const result = await signIn('credentials', { email, password, redirect: false });
  if (result?.ok && !result.error) return { ok: true };
  return { ok: false, message: MESSAGES[result?.error ?? ''] ?? 'Signing in did not work. Try again in a moment.' };
}
