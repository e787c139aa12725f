import { hash, verify } from '@node-rs/argon2';
import { invalidField } from '@/lib/contract/errors/app-error';
import { passwordProblem } from './password-rules';

/**
 * Returns the hash of a new password.
 * @param path the name of the input field, for the error.
 * @param own the person's email address and name, and the name of the business.
 * @throws AppError invalid_request if the password violates a rule for passwords.
 */
export async function hashPassword(password: string, path: string, own: readonly string[]): Promise<string> {
  const problem = await passwordProblem(password, own);
  if (problem !== null) throw invalidField(path, problem);
  return hash(normalized(password));
}

/**
 * Returns whether a password has this hash. Compares the normalized password first and then the password as it was
 * entered, because earlier releases did not normalize passwords.
 */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  const normal = normalized(password);
  return (await verify(passwordHash, normal)) || (normal !== password && (await verify(passwordHash, password)));
}

/**
 * Returns a password in Unicode normalization form NFC, because operating systems encode some letters differently.
 */
function normalized(password: string): string {
  return password.normalize('NFC');
}
