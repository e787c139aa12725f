import { invalidField } from '@/lib/contract/errors/app-error';

/** 32 random bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

/** Returns whether a text has the format of a token. This check costs nothing, so it comes before all others. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Returns the token in a body without a schema. @throws AppError invalid_request if it has none. */
export function tokenIn(body: unknown): string {
  const token: unknown = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
  if (typeof token !== 'string') throw invalidField('token', 'is required');
  return token;
}
