import type { z } from 'zod';
import { AppError } from '@/lib/contract/errors/app-error';
import type { InvalidField } from '@/lib/contract/errors/body';
import type { Languages } from '../records';
import type { Issue } from './kind';

/** The check of a larger number would take long and help nobody. */
export const MAX_ISSUES = 1_000;
/** In one refusal. */
const MAX_FIELDS = 50;

/**
 * Returns the issues of a validation error in the order of the document, one per path. A name in a path can be data,
 * which an error must not repeat (contract B3), so it becomes `*` unless it is a language or looks like a field.
 */
export function issuesOf(error: z.ZodError, languages: Languages): { path: (string | number)[]; message: string }[] {
  const name = nameReader(languages);
  const found = new Map<string, { path: (string | number)[]; message: string }>();
  const add = (path: Issue['path'], message: string) => {
    const readable = path.map(name);
    const key = readable.join('.');
    if (!found.has(key) && found.size < MAX_ISSUES) found.set(key, { path: readable, message });
  };
  for (const issue of error.issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) add([...issue.path, key], 'is unknown');
    else add(issue.path, issue.message);
  }
  return [...found.values()];
}

function nameReader({ locales }: Languages) {
  return (part: PropertyKey): string | number => {
    if (typeof part === 'number') return part;
    return typeof part === 'string' && (/^[a-z0-9_]{1,40}$/.test(part) || locales.includes(part)) ? part : '*';
  };
}

/** Returns the refusal that reports `issues`, with paths such as `workplaces.0.hours.2.opens`. */
export function refusalOf(issues: readonly Issue[]): AppError {
  const fields = issues.map(({ path, message }): InvalidField => ({ path: path.join('.') || '*', message }));
  const message = fields.length === 1 ? 'One field is invalid.' : `${fields.length} fields are invalid.`;
  return new AppError('invalid_request', { fields: fields.slice(0, MAX_FIELDS), message });
}
