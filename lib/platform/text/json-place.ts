import { visit } from 'jsonc-parser';

/** Ends a visit of a text at its first syntax error. */
class SyntaxFound extends Error {
  constructor(readonly place: Place) {
    super();
  }
}

/** Lines and columns count from 1, and columns in UTF-16 code units. */
export type Place = { line: number; column: number };

/**
 * Returns where a text that is not valid JSON has its first syntax error; null if none is found. A comment is a syntax
 * error.
 */
export function placeOfError(text: string): Place | null {
  const stop = (line: number, column: number): never => {
    throw new SyntaxFound({ line: line + 1, column: column + 1 });
  };
  try {
    // The visit must end at the first error, because `checkJsonSize` limits the depth only of valid JSON.
    visit(text, {
      onError: (_error, _offset, _length, line, column) => stop(line, column),
      onComment: (_offset, _length, line, column) => stop(line, column),
    });
  } catch (error) {
    if (error instanceof SyntaxFound) return error.place;
    throw error;
  }
  return null;
}
