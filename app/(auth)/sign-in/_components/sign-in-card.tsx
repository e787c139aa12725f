'use client';

import { useState } from 'react';
import { SecondStepForm } from '@/app/_components/sign-in/second-step-form';
import { SignInForm } from '@/app/_components/sign-in/sign-in-form';

type Props = { next: string; secondStep: boolean };

/**
 * The sign-in forms. Loads the requested page after the sign-in. If `secondStep` is set, the user has already entered
 * the password.
 */
export function SignInCard({ next, secondStep }: Props) {
  const [waits, setWaits] = useState(secondStep);
  const onSignedIn = () => window.location.assign(next);
  if (waits) return <SecondStepForm onSignedIn={onSignedIn} onExpired={() => setWaits(false)} />;
  return <SignInForm next={next} onSignedIn={onSignedIn} />;
}
