'use client';

import { SignInForm } from '@/app/_components/sign-in-form';

/** Signs in and loads the requested page. */
export function SignInCard({ next }: { next: string }) {
  return <SignInForm onSignedIn={() => window.location.assign(next)} />;
}
