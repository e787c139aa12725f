import type { z } from 'zod';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { duplicateKeys, JsonTooDeep } from '@/lib/platform/text/json-structure';

/** Maximum size of a body in bytes (contract B3). */
const MAX_BODY = 16 * 1024;

/** Maximum nesting of a body. Recursive functions process it later; valid bodies have at most two levels. */
const MAX_DEPTH = 32;

const refused = (message: string, cause?: unknown) => new AppError('invalid_request', { message, cause });

/**
 * Step 6 for the body (contract B2, B3): returns the parsed JSON body of a request.
 * @throws AppError invalid_request for another content type, a body over 16 KiB, malformed JSON or UTF-8, deep
 *   nesting, and duplicate keys, which parsers resolve differently.
 */
export async function readBody(request: Request): Promise<unknown> {
  if (!isJson(request.headers.get('content-type'))) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  const text = decode(await readBytes(request));
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
 * Parses a body with the operation's schema.
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

async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw refused('The body could not be read.', error);
    });
    if (done) break;
    size += value.length;
    // Canceling the reader would close the connection before the response is sent. The edge drains the rest.
    if (size > MAX_BODY) throw refused('The body is larger than 16 KiB.');
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The body is not valid UTF-8.');
  }
}
