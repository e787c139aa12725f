import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingTests, namedTestsIn } from '@/scripts/check/named-tests';

const FILE = 'tests/unit/one.test.ts';
const SOURCE = `test('a title', () => {});\nit.each([1])(\n  'the value %s',\n  () => log('no title', "a \${value}"),\n);`;
const missingIn = (...titles: string[]) => {
  const page = `# Page\n\n- \`${FILE}\`: ${titles.map((title) => `"${title}"`).join('; ')}\n`;
  return missingTests(page, (file) => (file === FILE ? SOURCE : null)).map(({ line, title }) => [line, title]);
};

test('a named test that exists is not missing', () => {
  expect(missingIn('a title', 'the value %s')).toEqual([]);
  expect(missingIn('a\n  title')).toEqual([]);
});

test('a named test that was renamed or removed is missing, with its line', () => {
  expect(missingIn('a title', 'another title')).toEqual([[3, 'another title']]);
  expect(missingIn('a tit')).toEqual([[3, 'a tit']]);
  expect(missingIn()).toEqual([[3, '']]);
  expect(missingTests('- `tests/unit/none.test.ts`: "a title"', () => null)).toHaveLength(1);
});

test('the threat model answers all ten risks of OWASP with named tests', () => {
  const [, ...answers] = readFileSync('docs/threat-model.md', 'utf8').split(/^### (?=API\d)/m);
  expect(answers.map((answer) => answer.split(':')[0])).toEqual(Array.from({ length: 10 }, (_, i) => `API${i + 1}`));
  for (const answer of answers) expect(namedTestsIn(answer).length, answer).toBeGreaterThan(0);
});
