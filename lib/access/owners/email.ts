import { z } from 'zod';
import { containsSecret } from '@/lib/platform/text/secret';

/** An email address. Only a delivered message proves that it exists, so only its basic form is checked. */
export const emailAddress = z
  .string()
  .trim()
  .min(3, 'must be an email address')
  .max(320, 'must be at most 320 characters')
  .regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u, 'must be an email address')
  // The audit log contains email addresses and must not contain credentials.
  .refine((text) => !containsSecret(text), 'must not contain an API key or a secret');
