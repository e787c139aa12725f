import type { z } from 'zod';
import { AppError } from './app-error';
import type { InvalidField } from './body';
import { namesAt, nearName } from './near-name';
import { type ErrorReason, REASONS } from './reasons';

const MAX_FIELDS = 20;

/**
 * Returns the 400 error for a request's validation issues (contract B3): the path of each invalid field and a fixed
 * message, never a value. The name of an unknown field could contain personal data, so a name is shown only if it
 * consists of at most 40 lowercase letters and underscores. Any other name becomes `*`. With the `schema` of the request,
 * the message of an unknown name states the name that was probably meant.
 */
export function requestError(error: z.ZodError, schema?: z.ZodType): AppError {
  const fields: InvalidField[] = [];
  const named = new Set<string>();
  let reason: ErrorReason | null = null;
  for (const issue of error.issues) {
    const path = issue.path.map(safeName);
    if (issue.code === 'unrecognized_keys') {
      reason = 'unknown_field';
      const known = schema ? namesAt(schema, issue.path) : [];
      for (const key of issue.keys) {
        const near = fields.length < MAX_FIELDS ? nearName(key, known) : null;
        const { message } = REASONS.unknown_field.field;
        const hint = near === null ? message : `${message}: the name is ${near}`;
        fields.push({ path: [...path, safeName(key)].join('.'), message: hint });
      }
    } else {
      const name = path.join('.') || '*';
      // Only the first issue of a field is reported, because the field's other issues usually follow from the first
      // one.
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
  if (issue.code === 'invalid_type' && isAbsent(issue)) return 'is required';
  // Messages of this project continue a sentence that begins with the field's name, so they start with a lowercase
  // letter. All other messages are zod's default messages, which are replaced.
  return /^[A-Z]/.test(issue.message) ? generalText(issue) : issue.message;
}

/** Returns whether an issue says that a field is absent or `null` (contract B1). Ignores `null` in an array. */
function isAbsent({ message, path }: z.core.$ZodIssue): boolean {
  if (message.endsWith('received undefined')) return true;
  return message.endsWith('received null') && typeof path.at(-1) === 'string';
}

const TYPES: Record<string, string> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  date: 'must be a timestamp',
};

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
