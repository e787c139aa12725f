import { z } from 'zod';

/** An e-mail address as a person types it: something, an at sign, something. Whether it is read, nobody can tell. */
export const emailAddress = z
  .string()
  .trim()
  .min(3, 'must be an e-mail address')
  .max(320, 'must be at most 320 characters')
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, 'must be an e-mail address');
