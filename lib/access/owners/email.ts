import { boundedText } from '@/lib/contract/bounded-text';
import { containsSecret } from '@/lib/platform/text/secret';

/**
 * An email address. Only its basic form is checked, because only a delivered message proves that an address exists.
 */
export const emailAddress = boundedText(320, 'must be at most 320 characters')
  .trim()
  .min(3, 'must be an email address')
  .regex(/^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u, 'must be an email address')
  // The audit log contains email addresses, and it must not contain credentials.
  .refine((text) => !containsSecret(text), 'must not contain an API key or a secret');
