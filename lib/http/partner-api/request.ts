import type { z } from 'zod';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { placeOfError } from '@/lib/platform/text/json-place';
import { checkJsonSize, duplicateKeys, JsonTooLarge } from '@/lib/platform/text/json-structure';
import { headerOf, type Incoming } from './call';

/** Bytes (contract B3). */
const MAX_BODY = 16 * 1024;

/** Recursive functions process the body, so deep nesting could overflow the stack. Valid bodies have two levels. */
const MAX_DEPTH = 32;

/** The size of a body in bytes already limits its entries. */
const LIMITS = { depth: MAX_DEPTH, entries: MAX_BODY, values: MAX_BODY };

const refused = (message: string, cause?: unknown) => new AppError('invalid_request', { message, cause });

/** Returns the error (400) for a body that is larger than the limit. */
export function bodyTooLarge(): AppError {
  return refused('The body is larger than 16 KiB.');
}

/** Returns the error (400) for a body that cannot be read completely. */
export function bodyUnreadable(cause: unknown): AppError {
  return refused('The body could not be read.', cause);
}

/**
 * Reads the body of a write, a part of step 6 (contract B2, B3).
 * @throws AppError invalid_request if its headers or size are wrong, or if it is not UTF-8.
 */
export async function readText(incoming: Pick<Incoming, 'headers' | 'readBytes'>): Promise<string> {
  if (!isJson(headerOf(incoming, 'content-type'))) {
    throw invalidField('Content-Type', 'must be application/json');
  }
  if (!/^(identity)?$/i.test(headerOf(incoming, 'content-encoding') ?? '')) {
    throw invalidField('Content-Encoding', 'must be identity or absent');
  }
  return decode(await incoming.readBytes(MAX_BODY));
}

/** @throws AppError invalid_request if it is not JSON, and for duplicate keys, which parsers treat differently. */
export function parseBody(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refused(notJson(text));
  }
  refuseDuplicates(text);
  return body;
}

function notJson(text: string): string {
  if (text.trim() === '') return 'The body is empty. It must be a JSON object.';
  checkDepth(text);
  const place = placeOfError(text);
  if (place === null) return 'The body is not valid JSON.';
  return `The body is not valid JSON: line ${place.line}, column ${place.column}.`;
}

/** Validates a body or a query. @throws AppError invalid_request with the invalid fields. */
export function validate<T>(input: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw requestError(parsed.error, schema);
}

/**
 * Returns a body without the members that count as absent in a fingerprint, at every depth: `null` (contract B8), and an empty
 * object, such as `metadata` without pairs (contract B19). `checkDepth` has limited the depth.
 */
export function withoutAbsent(body: unknown): unknown {
  if (!isObject(body)) return body;
  const entries = Object.entries(body).map(([name, value]) => [name, withoutAbsent(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== null && !isEmpty(value)));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmpty = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

function isJson(contentType: string | null): boolean {
  return /^application\/json[ \t]*(;[ \t]*charset="?utf-8"?[ \t]*)?$/i.test(contentType ?? '');
}

function refuseDuplicates(text: string): void {
  checkDepth(text);
  if (duplicateKeys(text, 1).length > 0) throw refused('The body has a duplicate field.');
}

function checkDepth(text: string): void {
  try {
    checkJsonSize(text, LIMITS);
  } catch (error) {
    if (error instanceof JsonTooLarge) throw refused(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refused('The body is not valid UTF-8.');
  }
}

const MAX_PARAMETERS = 50;
/** Characters. The edge refuses longer URLs. */
const MAX_QUERY = 16_384;

/**
 * Parses and validates the query, a part of step 6 (contract B2, B3).
 * @throws AppError invalid_request for bad encoding, and repeated, unknown, missing, invalid, or too many parameters.
 * The error never contains a value.
 */
export function parseQuery<T>(search: string, schema: z.ZodType<T>): T {
  return validate(splitQuery(search), schema);
}

function splitQuery(search: string): Record<string, string> {
  // A normal object inherits names such as `toString`, so a parameter with such a name would seem to be repeated.
  const parameters: Record<string, string> = Object.create(null);
  if (search === '') return parameters;
  if (search.length > MAX_QUERY)
    throw new AppError('invalid_request', { message: `The query has more than ${MAX_QUERY} characters.` });
  const parts = search.split('&');
  if (parts.length > MAX_PARAMETERS)
    throw new AppError('invalid_request', { message: `The query has more than ${MAX_PARAMETERS} parameters.` });
  for (const part of parts) {
    if (part === '') continue;
    const mark = part.indexOf('=');
    const name = decodePart(mark < 0 ? part : part.slice(0, mark));
    const value = decodePart(mark < 0 ? '' : part.slice(mark + 1));
    if (name === null || value === null) {
      throw invalidField(nameable(name), 'must be percent-encoded UTF-8');
    }
    if (name in parameters) throw invalidField(nameable(name), 'must not be repeated');
    parameters[name] = value;
  }
  return parameters;
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function nameable(name: string | null): string {
  return name !== null && /^[a-z_]{1,40}$/.test(name) ? name : '*';
}
