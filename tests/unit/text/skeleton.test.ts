import { expect, test } from 'vitest';
import { skeletonOf } from '@/lib/platform/text/skeleton';

test.for([
  'Bravo Barbers',
  'BRAVO BARBERS',
  '  bravo   barbers ',
  'Br\u0430v\u043E B\u0430rb\u0435rs',
  'Bra\u200Dvo Barbers',
  '\uFF22ravo Barbers',
  'Brav0 Barbers',
  '\u{1D401}ravo Barbers',
  ...['\u2800', '\u3164', '\u115f', '\u1160', '\uffa0', '\ufffc', '\u{1d159}'].map(
    (blank) => `Bravo${blank}Barbers${blank}`,
  ),
  '\u0299ravo \u0299arbers',
  'B\u0280\u1d00v\u1d0f B\u1d00\u0280\u0299\u1d07\u0280\ua731',
  'Bra\ufff9vo Barbers',
  ...['\u0323', '\u0307', '\u0338', '\u0332', '\u20dd'].map((mark) => `Bravo Barbers${mark}`),
])('%j looks like Bravo Barbers', (name) => {
  expect(skeletonOf(name)).toBe(skeletonOf('Bravo Barbers'));
});

test.for([
  ['VVellness', 'Wellness'],
  ['vvellness', 'WELLNESS'],
  ['Rnodern Hair', 'Modern Hair'],
  ['rnodern Hair', 'MODERN HAIR'],
  ['\u041c\u0410\u0425', 'max'],
  ['\u043c\u0430\u0445', 'MAX'],
  ['Hair \u2014 Cut', 'Hair - Cut'],
  ['K\u00f6\u0308ln', 'K\u00f6ln'],
  ['\u{1f171}eta', 'Beta'],
  ['\u{1f151}eta', 'Beta'],
  ['\u{1f1e7}eta', 'Beta'],
  ['Beta\u{1f3fb}', 'Beta'],
  ['\u0185eta \ua7a9alo\u0280 ba\u027e', 'Beta Salor Bar'],
] as const)('%j looks like %j', ([one, other]) => {
  expect(skeletonOf(one)).toBe(skeletonOf(other));
});

test.for([
  ['K\u00f6ln', 'Koln'],
  ['\u3082\u304c', '\u3082\u304b'],
  ['\u0439\u043e\u0434', '\u0438\u043e\u0434'],
] as const)('%j does not look like %j', ([one, other]) => {
  expect(skeletonOf(one)).not.toBe(skeletonOf(other));
});

test.for(['Bravo Barber', 'Bravo-Barbers', 'Br\u00E4vo Barbers', 'Bravo Barbers 2'])('%j does not', (name) => {
  expect(skeletonOf(name)).not.toBe(skeletonOf('Bravo Barbers'));
});

test('a skeleton has at most 4,000 characters', () => {
  expect(skeletonOf('\uFDFA'.repeat(200)).length).toBeLessThanOrEqual(4_000);
});

test('the skeleton of a skeleton is the same', () => {
  for (const name of ['Salon Iris & Ilja', 'M\u00FCller \u00DF\u017F', '\u2167. Haus', '\u0130stanbul'])
    expect(skeletonOf(skeletonOf(name))).toBe(skeletonOf(name));
  const letters = Array.from({ length: 0x2000 }, (_, code) => String.fromCharCode(code));
  expect(letters.filter((letter) => skeletonOf(skeletonOf(letter)) !== skeletonOf(letter))).toEqual([]);
});
