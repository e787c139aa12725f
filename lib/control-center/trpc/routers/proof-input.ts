import { z } from 'zod';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import type { Proof } from '@/lib/access/owners/proof';
import { boundedText } from '@/lib/contract/bounded-text';

/** A password that the member has entered. */
export const passwordInput = boundedText(PASSWORD_LENGTH.max, 'is too long').min(1, 'is required');

/**
 * The input of a procedure that requires a proof of who the member is (see `requireProof`). A passkey takes precedence
 * over a code.
 */
export const proofInput = z.strictObject({
  /** Missing if the account has no password. */
  password: passwordInput.optional(),
  /** A code of the authenticator app, or a recovery code. */
  code: boundedText(40, 'is too long').min(1, 'is required').optional(),
  /** A passkey's response as JSON. */
  passkey: boundedText(20_000, 'is too long').min(1, 'is required').optional(),
});

/** Returns the proof in the input of such a procedure. */
export function proofOf({ password: given, code, passkey }: z.infer<typeof proofInput>): Proof {
  const password = given ?? null;
  if (passkey !== undefined) return { password, factor: { passkey } };
  return { password, factor: code === undefined ? null : { code } };
}
