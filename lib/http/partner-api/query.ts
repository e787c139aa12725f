import type { z } from 'zod';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';

const MAX_PARAMETERS = 50;
/** Characters. The edge refuses longer URLs. */
const MAX_LENGTH = 16_384;

/**
 * Parses and validates the query, a part of step 6 (contract B2, B3).
 * @throws AppError invalid_request for bad encoding, and repeated, unknown, missing, invalid, or too many parameters.
 * The error never contains a value.
 */
export function parseQuery<T>(search: string, schema: z.ZodType<T>): T {
  const parameters = splitQuery(search);
  const parsed = schema.safeParse(parameters);
  if (parsed.success) return parsed.data;
  throw requestError(parsed.error, schema);
}

function splitQuery(search: string): Record<string, string> {
  // A normal object inherits names such as `toString`, so a parameter with such a name would seem to be repeated.
  const parameters: Record<string, string> = Object.create(null);
  if (search === '') return parameters;
  if (search.length > MAX_LENGTH)
    throw new AppError('invalid_request', { message: `The query has more than ${MAX_LENGTH} characters.` });
  const parts = search.split('&');
  if (parts.length > MAX_PARAMETERS)
    throw new AppError('invalid_request', { message: `The query has more than ${MAX_PARAMETERS} parameters.` });
  for (const part of parts) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const name = decode(mark < 0 ? part : part.slice(0, mark));
    const value = decode(mark < 0 ? '' : part.slice(mark + 1));
    if (name === null || value === null) {
      throw invalidField(nameable(name), 'must be percent-encoded UTF-8');
    }
    if (name in parameters) throw invalidField(nameable(name), 'must not be repeated');
    parameters[name] = value;
  }
  return parameters;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function nameable(name: string | null): string {
  return name !== null && /^[a-z_]{1,40}$/.test(name) ? name : '*';
}
