import { z } from 'zod';
import { containsSecret } from '@/lib/platform/text/secret';

/** An e-mail address as a person types it: something, an at sign, something. Whether it is read, nobody can tell. */
export const emailAddress = z
  .string()
  .trim()
  .min(3, 'must be an e-mail address')
  .max(320, 'must be at most 320 characters')
  .regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u, 'must be an e-mail address')
  // The audit log takes none.
  .refine((text) => !containsSecret(text), 'must not contain an API key or a secret');
