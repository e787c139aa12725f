import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Group, select, withLateFiles } from '@/scripts/test/select';

const GROUPS: Group[] = [
  { name: 'check', directory: null, suffix: '' },
  { name: 'unit', directory: 'tests/unit', suffix: '.test' },
  { name: 'integration', directory: 'tests/integration', suffix: '.test' },
  { name: 'e2e', directory: 'tests/e2e', suffix: '.spec' },
];

const FILES = [
  'tests/unit/text/names.test.ts',
  'tests/unit/text/names.ts',
  'tests/unit/webhooks/url.test.ts',
  'tests/unit/components/table.test.tsx',
  'tests/integration/catalog/list.test.ts',
  'tests/integration/webhooks/replay.test.ts',
  'tests/e2e/webhooks.spec.ts',
];

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'select-'));
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
});
afterAll(() => rmSync(root, { recursive: true }));

const selected = (...words: string[]) =>
  Object.fromEntries(select(root, GROUPS, words).map(({ name, files }) => [name, files]));

describe('the selection of tests', () => {
  it('is every group without words, and the named groups with their names', () => {
    expect(selected()).toEqual({ check: null, unit: null, integration: null, e2e: null });
    expect(selected('unit', 'check')).toEqual({ check: null, unit: null });
  });

  it('takes a test of a component', () => {
    expect(selected('components')).toEqual({ unit: ['tests/unit/components/table.test.tsx'] });
  });

  it.each(['tests/unit/text/names.test.ts', './tests/unit/text', 'text/', 'names'])(
    'takes a file, a directory or a word, and only groups with a match: %s',
    (word) => expect(selected(word)).toEqual({ unit: ['tests/unit/text/names.test.ts'] }),
  );

  it('takes an absolute path', () => {
    expect(selected(join(root, 'tests/unit/webhooks'))).toEqual({ unit: ['tests/unit/webhooks/url.test.ts'] });
  });

  it('takes a word in every group, and only in the named ones', () => {
    expect(Object.keys(selected('webhooks'))).toEqual(['unit', 'integration', 'e2e']);
    expect(selected('integration', 'webhooks')).toEqual({ integration: ['tests/integration/webhooks/replay.test.ts'] });
  });

  it('refuses a word that matches nothing, and an option', () => {
    expect(() => selected('webhooks', 'nothing-like-it')).toThrow('No test file matches "nothing-like-it".');
    expect(() => selected('unit', 'replay')).toThrow('No test file matches "replay".');
    expect(() => selected('--watch')).toThrow('Unknown option --watch');
  });
});

describe('late files', () => {
  const moved = { from: 'integration', after: 'e2e', late: (file: string) => file.includes('/catalog/') };
  const runsOf = (...words: string[]) => withLateFiles(root, GROUPS, select(root, GROUPS, words), moved);

  it('are a second run of their group, and every file is in one of the two', () => {
    expect(runsOf().map(({ name }) => name)).toEqual(['check', 'unit', 'integration', 'e2e', 'integration']);
    const [, , early, , late] = runsOf();
    expect(early?.files).toEqual(['tests/integration/webhooks/replay.test.ts']);
    expect(late?.files).toEqual(['tests/integration/catalog/list.test.ts']);
  });

  it.each([['integration'], ['e2e', 'unit'], ['catalog'], ['webhooks']])('stay where they are: %s', (...words) => {
    expect(runsOf(...words)).toEqual(select(root, GROUPS, words));
  });
});
