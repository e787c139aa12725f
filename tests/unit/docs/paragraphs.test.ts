import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const MAX_WORDS = 90;

const DOCUMENTS = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.md') ? [`docs/${name}`] : [],
  ),
];

/** Returns the paragraphs of prose: items of lists count alone, and code, tables, and headings do not count. */
function paragraphsOf(text: string): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '\n').replaceAll(/^(#|\|).*$/gm, '\n');
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
}

/** A link counts by its text. */
const wordsIn = (paragraph: string) =>
  paragraph
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter(Boolean).length;

test.each(DOCUMENTS)(`no paragraph of %s has more than ${MAX_WORDS} words`, (document) => {
  const long = paragraphsOf(readFileSync(document, 'utf8')).filter((paragraph) => wordsIn(paragraph) > MAX_WORDS);
  expect(long).toEqual([]);
});
