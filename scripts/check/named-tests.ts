/** `line` counts from 1. */
type NamedTest = { line: number; file: string; title: string };

/**
 * Returns the tests that a document names, such as `tests/unit/example.test.ts`: "first title"; "second title". An item
 * without a title gets an empty one, which no test has.
 */
export function namedTestsIn(markdown: string): NamedTest[] {
  const items = markdown.matchAll(/^- `(tests\/[^`]+)`(.*(?:\n {2}\S.*)*)/gm);
  return [...items].flatMap(({ 1: file = '', 2: rest = '', index }) => {
    const line = markdown.slice(0, index).split('\n').length;
    const titles = [...rest.replaceAll(/\s+/g, ' ').matchAll(/"([^"]+)"/g)].map(([, title = '']) => title);
    return (titles.length > 0 ? titles : ['']).map((title) => ({ line, file, title }));
  });
}

function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const literal = `${quote}${title}${quote},`;
    for (let at = source.indexOf(literal); at >= 0; at = source.indexOf(literal, at + 1)) {
      if (source.slice(0, at).trimEnd().endsWith('(')) return true;
    }
    return false;
  });
}

/** Returns the named tests that do not exist. `read` returns the source of a test file, or null. */
export function missingTests(markdown: string, read: (file: string) => string | null): NamedTest[] {
  return namedTestsIn(markdown).filter(({ file, title }) => !hasTitle(read(file) ?? '', title));
}
