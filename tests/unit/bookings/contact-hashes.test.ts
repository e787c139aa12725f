import { expect, test } from 'vitest';
import { readName } from '@/app/t/[tenant]/bookings/_components/list/phone';
import { hashName, wordsOf } from '@/lib/booking/bookings/customer';

const KEY = Buffer.alloc(32, 1);

test.each([
  ['Zoë O’Brien-Meßner', ['zoe', 'o', 'brien', 'messner']],
  ["ŁUKASZ  d'Œuvre", ['lukasz', 'd', 'oeuvre']],
  ['İpek Işık', ['ipek', 'isik']],
  ['Σωκράτης ΣΩΚΡΑΤΗΣ', ['σωκρατησ']],
  ['ＹＡＭＡＤＡ 山田太郎', ['yamada', '山田太郎']],
  ['🙂', []],
  ['a b c d e f g h i j', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
])('%s has the words by which people look for it', (name, words) => {
  expect(wordsOf(name)).toEqual(words);
});

test('the longest name takes little time and has few words', () => {
  expect(wordsOf('\ufdfa '.repeat(100)).length).toBeLessThanOrEqual(8);
});

test('a hash depends on the key, the tenant, and the word', () => {
  const [hash, other] = hashName(KEY, 'ten_1', 'Robin Sample');
  expect(hash).toHaveLength(8);
  expect(other).not.toEqual(hash);
  expect(hashName(KEY, 'ten_1', 'SAMPLE, Röbin')).toEqual([other, hash]);
  expect(hashName(KEY, 'ten_2', 'Robin')).not.toEqual([hash]);
  expect(hashName(Buffer.alloc(32, 2), 'ten_1', 'Robin')).not.toEqual([hash]);
});

test('the search field takes a text for a name only without digits and with a word', () => {
  for (const name of ['Robin Sample', 'O’Brien', 'Anna', '山田', 'Dr. Müller-Lüdenscheidt'])
    expect(readName(name)).toBe(name);
  for (const text of ['order-1', 'B-4F7K2Q', 'a', '030 5550', 'pbr_x', 'x'.repeat(201), ' '])
    expect(readName(text)).toBeNull();
});
