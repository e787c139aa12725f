import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGES } from '@/lib/contract/docs/pages';
import { contractPath } from '@/lib/contract/sections';
import { danglingReferences, targetsIn } from '@/scripts/check/dangling';

const documents = {
  contract: targetsIn(readFileSync('docs/contract.md', 'utf8')),
  architecture: targetsIn(readFileSync('docs/architecture.md', 'utf8')),
};

const found = (text: string) => danglingReferences(text, documents).map(({ reference }) => reference);

test('the contract has the sections A and B1 to B21, the architecture 1 to 8', () => {
  const range = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1));
  expect([...documents.contract.sections]).toEqual(['A', ...range(21).map((number) => `B${number}`)]);
  expect([...documents.architecture.sections]).toEqual(range(8));
});

test('the path of every section leads to its anchor on the published page', () => {
  expect(PAGES.map(({ path }) => path)).toContain('/docs/contract');
  const deployment = { origin: 'http://localhost:3000', environment: 'TEST', keyPrefix: 'pbk_test_' } as const;
  const page = PAGES.find(({ path }) => path === '/docs/contract')?.body(deployment).text;
  for (const section of documents.contract.sections) {
    const [path, anchor] = contractPath(section).split('#');
    expect(path).toBe('/docs/contract');
    expect(anchor).toMatch(new RegExp(`^${section.toLowerCase()}-`));
    expect(page).toContain(` id="${anchor}"`);
  }
});

test.each([
  '/** Returns the slots (contract B6, B7). */',
  '// See contract A and B11, and architecture 4.',
  '/** The order of contract\n * B2. */',
  "check('B7', 'a free slot can be booked')",
  'See [booking](contract.md#b7-booking) and /docs/contract#b2-order-of-checks.',
  'Base64 such as whsec_x+B99/AB99= and the word B99a are no references.',
])('a reference to a section that exists passes: %s', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['/** Returns the slots (contract B30). */', 'contract B30'],
  ['/** Returns the slots (contract B6, B99). */', 'contract B99'],
  ['-- as the contract\n-- says (B0)', 'contract B0'],
  ['/** As contract\n * C has it. */', 'contract C'],
  ["check('B99', 'no such section')", 'contract B99'],
  ['the lease (architecture 9)', 'architecture 9'],
  ['the lease (architecture\n * 10)', 'architecture 10'],
  ['https://booking.example/docs/contract#b7-bookings', '/docs/contract#b7-bookings'],
  ['See [data](architecture.md#4-tables).', 'docs/architecture.md#4-tables'],
])('a dangling reference is found: %s', (text, reference) => {
  expect(found(text)).toEqual([reference]);
});

test('a dangling reference is reported with its line', () => {
  expect(danglingReferences('first\nsecond\nthird (contract B42)\n', documents)).toEqual([
    { line: 3, reference: 'contract B42' },
  ]);
});
