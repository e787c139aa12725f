import type { z } from 'zod';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { duplicateKeys, JsonTooDeep } from '@/lib/platform/text/json-structure';
import { headerOf, type Incoming } from './call';

/** Maximum size of a body in bytes (contract B3). */
const MAX_BODY = 16 * 1024;

/**
 * Maximum nesting depth of a body, which protects the recursive functions that process it. Valid bodies have at most
 * two levels.
 */
const MAX_DEPTH = 32;

const refused = (message: string, cause?: unknown) => new AppError('invalid_request', { message, cause });

/** Returns the 400 for a body that is larger than the limit. */
export function bodyTooLarge(): AppError {
  return refused('The body is larger than 16 KiB.');
}

/** Returns the 400 for a body that cannot be read completely. */
export function bodyUnreadable(cause: unknown): AppError {
  return refused('The body could not be read.', cause);
}

/**
 * The part of step 6 that reads the body (contract B2, B3). Returns the parsed JSON body of a request.
 * @throws AppError invalid_request if the content type is not JSON, the body is larger than 16 KiB, its JSON or UTF-8
 *   is malformed, it is nested too deeply, or it has a duplicate key, which parsers would resolve differently.
 */
export async function readBody(incoming: Pick<Incoming, 'headers' | 'readBytes'>): Promise<unknown> {
  if (!isJson(headerOf(incoming, 'content-type'))) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  const text = decode(await incoming.readBytes(MAX_BODY));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refused('The body is not valid JSON.');
  }
  refuseDuplicates(text);
  return body;
}

/**
 * Validates a body against the operation's schema and returns the result.
 * @throws AppError invalid_request with the invalid fields.
 */
export function parseBody<T>(body: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw requestError(parsed.error);
}

function isJson(contentType: string | null): boolean {
  return /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(contentType ?? '');
}

function refuseDuplicates(text: string): void {
  try {
    if (duplicateKeys(text, MAX_DEPTH).length === 0) return;
  } catch (error) {
    if (error instanceof JsonTooDeep) throw refused('The body is nested too deeply.');
    throw error;
  }
  throw refused('The body has a duplicate key.');
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The body is not valid UTF-8.');
  }
}
