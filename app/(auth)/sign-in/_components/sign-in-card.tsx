'use client';

import { SignInForm } from '@/app/_components/sign-in-form';

/** The sign-in form. After the user has signed in, it loads the page at the path `next`. */
export function SignInCard({ next }: { next: string }) {
  return <SignInForm onSignedIn={() => window.location.assign(next)} />;
}
