import { type JSONPath, visit } from 'jsonc-parser';

/** Bytes of a document at most: a catalog of the largest size that is kept in memory is about half of it. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Levels of a document; ours has nine. What reads it calls itself for each. */
const MAX_DEPTH = 32;

/** What is wrong at a place of the text. */
export type TextIssue = { path: (string | number)[]; message: string };

class TooDeep extends Error {}

/**
 * Returns what a text of JSON holds, or what is wrong with it and where. A name that stands twice in one object is
 * wrong: every reader would take another.
 */
export function readJson(text: string): { value: unknown; issues: TextIssue[] } {
  const refused = (message: string) => ({ value: undefined, issues: [{ path: [], message }] });
  if (Buffer.byteLength(text) > MAX_BYTES) return refused('must be at most 2 MiB');
  try {
    const issues = duplicates(text);
    return { value: JSON.parse(text), issues };
  } catch (error) {
    if (error instanceof TooDeep) return refused('is nested too deeply');
    return refused(`is not valid JSON${placeOf(text)}`);
  }
}

function duplicates(text: string): TextIssue[] {
  const issues: TextIssue[] = [];
  const names: Set<string>[] = [];
  const enter = () => {
    // Objects and lists alike; a list has no names.
    names.push(new Set());
    if (names.length > MAX_DEPTH) throw new TooDeep();
  };
  const leave = () => void names.pop();
  visit(text, {
    onObjectBegin: enter,
    onArrayBegin: enter,
    onObjectEnd: leave,
    onArrayEnd: leave,
    onObjectProperty: (name, _offset, _length, _line, _character, parent: () => JSONPath) => {
      const known = names.at(-1);
      if (known?.has(name)) issues.push({ path: [...parent(), name], message: 'stands here twice' });
      known?.add(name);
    },
  });
  return issues;
}

/** Where the text stops being JSON, for people: lines and columns from 1. */
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
