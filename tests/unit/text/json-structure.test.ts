import { expect, test } from 'vitest';
import { checkJsonSize, duplicateKeys, JsonTooLarge } from '@/lib/platform/text/json-structure';

const LIMITS = { depth: 3, entries: 4, values: 10 };

function beyond(text: string): string | null {
  try {
    checkJsonSize(text, LIMITS);
    return null;
  } catch (error) {
    if (error instanceof JsonTooLarge) return error.limit;
    throw error;
  }
}

test.each([
  ['[[[1]]]', null],
  ['[[[[1]]]]', 'depth'],
  ['[1,2,3,4]', null],
  ['[1,2,3,4,5]', 'entries'],
  ['{"a":1,"a":1,"a":1,"a":1,"a":1}', 'entries'],
  ['[[1,2,3],[1,2,3],[1]]', null],
  ['[[1,2,3],[1,2,3],[1,2]]', 'values'],
  ['["[[[[",",,,,,,",1]', null],
  [String.raw`["\"[[[[,,,,","\\",1]`, null],
  [String.raw`["\\",[[[1]]]]`, 'depth'],
  ['"unfinished [[[[', null],
  [']]]][[[1]]]', null],
  ['', null],
])('%s: %s', (text, limit) => expect(beyond(text)).toBe(limit));

test.each([
  ['["aaa"]', null],
  ['["aaaa"]', 1],
  ['[1, {"aaaa": 1}]', 5],
  [String.raw`["\"aa"]`, 1],
  ['"aaaa', 0],
])('%s has a text beyond the limit at %s', (text, at) => {
  const limits = { ...LIMITS, text: 4 };
  if (at === null) expect(() => checkJsonSize(text, limits)).not.toThrow();
  else expect(() => checkJsonSize(text, limits)).toThrow(expect.objectContaining({ limit: 'text', at }));
});

test('counts the entries of 16 MiB without keeping memory for them', () => {
  const text = `[${'[],'.repeat(5_500_000)}[]]`;
  const before = process.memoryUsage().rss;
  expect(() => checkJsonSize(text, { depth: 32, entries: 1e9, values: 1e9 })).not.toThrow();
  expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(64);
});

test('lists at most as many duplicate keys as allowed', () => {
  const text = `{"x":{${'"a":0,'.repeat(1_000)}"b":0}}`;
  expect(duplicateKeys(text, 3)).toEqual(Array(3).fill(['x', 'a']));
});
