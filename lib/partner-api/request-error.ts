import type { z } from 'zod';
import { AppError, type InvalidField } from '../errors/app-error';
import type { ErrorReason } from '../errors/codes';

/** Fields that one answer names at most. */
const MAX_FIELDS = 20;

/**
 * Returns the 400 for what a schema refused (contract B3): paths and fixed texts, never a value; the name of an
 * unknown field only if it could not carry data.
 */
export function requestError(error: z.ZodError): AppError {
  const fields: InvalidField[] = [];
  let reason: ErrorReason | null = null;
  for (const issue of error.issues) {
    const path = issue.path.map(safeName);
    if (issue.code === 'unrecognized_keys') {
      reason = 'unknown_field';
      for (const key of issue.keys)
        fields.push({ path: [...path, safeName(key)].join('.'), message: 'is not known here' });
    } else {
      const name = path.join('.') || '*';
      // A field is named once, with the first complaint: the others mostly stem from it.
      if (!fields.some((field) => field.path === name)) fields.push({ path: name, message: textOf(issue) });
    }
  }
  const named = fields.slice(0, MAX_FIELDS);
  return new AppError('invalid_request', { reason, fields: named, message: summary(fields.length) });
}

function safeName(part: PropertyKey): string {
  if (typeof part === 'number') return String(part);
  return typeof part === 'string' && /^[a-z_]{1,40}$/.test(part) ? part : '*';
}

function textOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  return issue.message;
}

function summary(count: number): string {
  return count === 1 ? 'One field is invalid.' : `${count} fields are invalid.`;
}
