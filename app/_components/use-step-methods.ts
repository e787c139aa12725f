'use client';

import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';

/** The ways to complete a sign-in, besides recovery codes. `passkeys` is null if the user cannot use a passkey. */
export type StepMethods = { totp: boolean; passkeys: PublicKeyCredentialRequestOptionsJSON | null };

/** Loads the ways to complete the sign-in. Returns null if the sign-in must start over. */
export async function loadMethods(): Promise<StepMethods | null> {
  const headers = { 'x-partner-booking': 'control-center' };
  const response = await fetch('/api/second-step', { method: 'POST', headers });
  return response.ok ? ((await response.json()) as StepMethods) : null;
}

/**
 * Returns the ways to complete the sign-in, or null while they are loading. If loading fails, returns the authenticator
 * app as the only way. Calls `onExpired` if the sign-in must start over.
 */
export function useStepMethods(onExpired: () => void): StepMethods | null {
  const [methods, setMethods] = useState<StepMethods | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the methods are loaded once per sign-in.
  useEffect(() => {
    loadMethods().then(
      (found) => (found ? setMethods(found) : onExpired()),
      () => setMethods({ totp: true, passkeys: null }),
    );
  }, []);
  return methods;
}
