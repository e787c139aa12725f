/** A test that a document names as a proof. `line` is the line in the document, counted from 1. */
type NamedTest = { line: number; file: string; title: string };

/**
 * Returns the tests that a Markdown document names. A list item names a file and titles of its tests:
 * - `tests/unit/example.test.ts`: "first title"; "second title"
 *
 * An item without a title gets an empty title, which no test has, so the check fails.
 */
export function namedTestsIn(markdown: string): NamedTest[] {
  const items = markdown.matchAll(/^- `(tests\/[^`]+)`(.*(?:\n {2}\S.*)*)/gm);
  return [...items].flatMap(({ 1: file = '', 2: rest = '', index }) => {
    const line = markdown.slice(0, index).split('\n').length;
    const titles = [...rest.replaceAll(/\s+/g, ' ').matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
    return (titles.length > 0 ? titles : ['']).map((title) => ({ line, file, title }));
  });
}

/** Returns whether a title is the first argument of a call in the source of a test file. */
function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const literal = `${quote}${title}${quote},`;
    for (let at = source.indexOf(literal); at >= 0; at = source.indexOf(literal, at + 1)) {
      if (source.slice(0, at).trimEnd().endsWith('(')) return true;
    }
    return false;
  });
}

/**
 * Returns the tests that a document names but that do not exist.
 * @param read returns the source of a test file, or null if there is no such file.
 */
export function missingTests(markdown: string, read: (file: string) => string | null): NamedTest[] {
  return namedTestsIn(markdown).filter(({ file, title }) => !hasTitle(read(file) ?? '', title));
}
