'use client';

import { SignInForm } from '@/app/_components/sign-in-form';

/** Signs in and goes on to where the person wanted to be, with a fresh page. */
export function SignInCard({ next }: { next: string }) {
  return <SignInForm onSignedIn={() => window.location.assign(next)} />;
}
