import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { getLocation } from 'jsonc-parser';
import { invalidField } from '@/lib/contract/errors/app-error';
import { type Place, placeOfError } from '@/lib/platform/text/json-place';
import { checkJsonSize, duplicateKeys, JsonTooLarge } from '@/lib/platform/text/json-structure';
import { decodeUtf8, notUtf8 } from '@/lib/platform/text/utf8';

/** A larger document is refused before it is parsed. */
export const MAX_DOCUMENT_MIB = 16;
const TOO_LARGE = `must be at most ${MAX_DOCUMENT_MIB} MiB`;
/** Recursive functions process the document. A valid one has at most nine levels. */
export const MAX_DEPTH = 32;
/** Entries of one list or object. The longest valid list has 1,000. */
export const MAX_LIST = 5_000;
/** A document of 16 MiB with 600 specialists and 144,000 offerings has about 600,000. */
export const MAX_VALUES = 1_000_000;
/** As written: the longest valid text has 20,000 characters, and each can be an escape of six. */
export const MAX_WRITTEN = 120_000;
const LIMITS = { depth: MAX_DEPTH, entries: MAX_LIST, values: MAX_VALUES, text: MAX_WRITTEN };
const BEYOND = {
  depth: 'is nested too deeply',
  entries: `has a list or an object with more than ${MAX_LIST} entries`,
  values: `has more than ${MAX_VALUES} values`,
};

const MIB = 1024 * 1024;

export type TextIssue = { path: (string | number)[]; message: string };

/**
 * Parses a JSON document. Returns its value, undefined if it is too large, too deep, or not valid, and at most `most`
 * issues, including duplicate keys.
 */
export function readJson(text: string, most: number): { value: unknown; issues: TextIssue[] } {
  const refused = (message: string) => ({ value: undefined, issues: [{ path: [], message }] });
  const beyond = limitIssue(text);
  if (beyond !== null) return { value: undefined, issues: [beyond] };
  try {
    // `duplicateKeys` is recursive. It must get only valid JSON, whose depth `checkJsonSize` has limited.
    const value: unknown = JSON.parse(text);
    return { value, issues: duplicateKeys(text, most).map((path) => ({ path, message: 'duplicate key' })) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const place = placeOfError(text);
    if (place === null) return refused('is not valid JSON');
    return refused(`is not valid JSON: line ${place.line}, column ${place.column}`);
  }
}

/** Characters that are parsed to find the path of an issue. The line is stated in any case. */
const MAX_BEFORE = 64 * 1024;

/** Returns the issue of a document beyond a limit, or null, much faster than parsing the document. */
export function limitIssue(text: string): TextIssue | null {
  // A character has at least one byte.
  if (text.length > MAX_DOCUMENT_MIB * MIB || Buffer.byteLength(text) > MAX_DOCUMENT_MIB * MIB)
    return { path: [], message: TOO_LARGE };
  try {
    checkJsonSize(text, LIMITS);
    return null;
  } catch (error) {
    if (!(error instanceof JsonTooLarge)) throw error;
    const { limit, at } = error;
    if (limit !== 'text') return { path: [], message: BEYOND[limit] };
    const path = at > MAX_BEFORE ? [] : getLocation(text.slice(0, at), at).path.filter((part) => part !== '');
    const { line, column } = placeAt(text, at);
    return { path, message: `has a text or a field name that is too long: line ${line}, column ${column}` };
  }
}

function placeAt(text: string, at: number): Place {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/**
 * Returns the text of a document that a browser compressed with gzip and encoded as base64.
 * @throws AppError invalid_request if the data is invalid, not UTF-8, or too large.
 */
export async function unpack(packed: string): Promise<string> {
  const bytes = await unzip(packed);
  const decoded = decodeUtf8(bytes);
  if (!('text' in decoded)) throw invalidField('packed', notUtf8(decoded));
  return decoded.text;
}

async function unzip(packed: string): Promise<Buffer> {
  try {
    return await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_DOCUMENT_MIB * MIB });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw invalidField('packed', isTooLarge ? TOO_LARGE : 'must be a document compressed with gzip');
  }
}
