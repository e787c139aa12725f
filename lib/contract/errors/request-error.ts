import type { z } from 'zod';
import { AppError, type InvalidField } from './app-error';
import type { ErrorReason } from './codes';

/** Fields that one answer names at most. */
const MAX_FIELDS = 20;

/**
 * Returns the 400 for what a schema refused (contract B3): paths and fixed texts, never a value; the name of an
 * unknown field only if it could not carry data.
 */
export function requestError(error: z.ZodError): AppError {
  const fields: InvalidField[] = [];
  const named = new Set<string>();
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
      if (!named.has(name)) fields.push({ path: name, message: textOf(issue) });
      named.add(name);
    }
  }
  return new AppError('invalid_request', {
    reason,
    fields: fields.slice(0, MAX_FIELDS),
    message: summary(fields.length),
  });
}

function safeName(part: PropertyKey): string {
  if (typeof part === 'number') return String(part);
  return typeof part === 'string' && /^[a-z_]{1,40}$/.test(part) ? part : '*';
}

function textOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined')) return 'is required';
  // Ours go on a field's name; the library's are sentences of their own.
  return /^[A-Z]/.test(issue.message) ? generalText(issue) : issue.message;
}

const TYPES: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  date: 'must be a moment',
};

/** What a schema says that has no words of its own. */
function generalText(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? 'is not valid';
  if (issue.code === 'invalid_value') return 'must be one of the known values';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  return 'is not valid';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function summary(count: number): string {
  return count === 1 ? 'One field is invalid.' : `${count} fields are invalid.`;
}
