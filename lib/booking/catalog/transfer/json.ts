import { visit } from 'jsonc-parser';
import { duplicateKeys, JsonTooDeep } from '@/lib/platform/text/json-structure';

/** Maximum size of a document in bytes. A larger document is refused before it is parsed. */
const MAX_BYTES = 2 * 1024 * 1024;
/**
 * Maximum nesting depth of a document. Limited because recursive functions process the document later. A valid document
 * has at most nine levels.
 */
const MAX_DEPTH = 32;

/** A problem at a path in the document. */
export type TextIssue = { path: (string | number)[]; message: string };

/**
 * Parses a JSON document. Returns its value and all issues found, including duplicate keys. The value is undefined if
 * the text is too long, is nested too deeply, or is not valid JSON.
 */
export function readJson(text: string): { value: unknown; issues: TextIssue[] } {
  const refused = (message: string) => ({ value: undefined, issues: [{ path: [], message }] });
  if (Buffer.byteLength(text) > MAX_BYTES) return refused('must be at most 2 MiB');
  try {
    const issues = duplicateKeys(text, MAX_DEPTH).map((path) => ({ path, message: 'duplicate key' }));
    return { value: JSON.parse(text), issues };
  } catch (error) {
    if (error instanceof JsonTooDeep) return refused('is nested too deeply');
    return refused(`is not valid JSON${placeOf(text)}`);
  }
}

/** Returns the position of the first syntax error as text, such as `: line 3, column 1`. */
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
