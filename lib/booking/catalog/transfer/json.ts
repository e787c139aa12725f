import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { visit } from 'jsonc-parser';
import { invalidField } from '@/lib/contract/errors/app-error';
import { duplicateKeys, JsonTooDeep } from '@/lib/platform/text/json-structure';

/** Maximum size of a document in MiB. A larger document is refused before it is parsed. */
export const MAX_DOCUMENT_MIB = 16;
const TOO_LARGE = `must be at most ${MAX_DOCUMENT_MIB} MiB`;
/**
 * Maximum nesting depth of a document. The depth is limited because recursive functions process the document. A valid
 * document has at most nine levels.
 */
export const MAX_DEPTH = 32;

const MIB = 1024 * 1024;

export type TextIssue = { path: (string | number)[]; message: string };

/**
 * Parses a JSON document. Returns its value and all issues, including duplicate keys. The value is undefined if the
 * text is too long, nested too deeply, or not valid JSON.
 */
export function readJson(text: string): { value: unknown; issues: TextIssue[] } {
  const refused = (message: string) => ({ value: undefined, issues: [{ path: [], message }] });
  if (Buffer.byteLength(text) > MAX_DOCUMENT_MIB * MIB) return refused(TOO_LARGE);
  try {
    const issues = duplicateKeys(text, MAX_DEPTH).map((path) => ({ path, message: 'duplicate key' }));
    return { value: JSON.parse(text), issues };
  } catch (error) {
    if (error instanceof JsonTooDeep) return refused('is nested too deeply');
    return refused(`is not valid JSON${placeOf(text)}`);
  }
}

/**
 * Returns the text of a document that a browser compressed with gzip and encoded as base64.
 * @throws AppError invalid_request if the data is invalid or the document is too large.
 */
export async function unpack(packed: string): Promise<string> {
  try {
    const bytes = await promisify(gunzip)(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_DOCUMENT_MIB * MIB });
    return bytes.toString('utf8');
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw invalidField('packed', isTooLarge ? TOO_LARGE : 'must be a document compressed with gzip');
  }
}

/**
 * Returns the end of an error message, with the position of the first syntax error: `: line 3, column 1`. A comment
 * is a syntax error. Returns an empty string if there is no error.
 */
function placeOf(text: string): string {
  let place = '';
  const note = (line: number, column: number) => {
    place ||= `: line ${line + 1}, column ${column + 1}`;
  };
  visit(text, {
    onError: (_error, _offset, _length, line, column) => note(line, column),
    onComment: (_offset, _length, line, column) => note(line, column),
  });
  return place;
}
