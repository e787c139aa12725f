import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FORCED, forcedBy } from '@/lib/contract/forced';

test.each(FORCED)('test:%s forces a response, even with a suffix', (word) => {
  expect([forcedBy(`test:${word}`), forcedBy(`test:${word}:`), forcedBy(`test:${word}:a:b`)]).toEqual([
    word,
    word,
    word,
  ]);
});

test.each(['', 'test', 'test:', 'test::503', 'test:unknown', 'test:5033', 'Test:503', ' test:503', 'test: 503', '503'])(
  'the reference %j forces nothing',
  (reference) => {
    expect(forcedBy(reference)).toBeNull();
  },
);

test('the contract and the guide list every word, and no others', () => {
  const words = (file: string, row: RegExp) => [...readFileSync(file, 'utf8').matchAll(row)].map(([, word]) => word);
  const [, section = ''] = readFileSync('docs/contract.md', 'utf8').split('### B13.');
  const [table = ''] = section.split('\n- ');
  expect([...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word)).toEqual([...FORCED]);
  expect(words('docs/partner/guides/testing.md', /^\| `test:(\w+)` \|/gm)).toEqual([...FORCED]);
});
