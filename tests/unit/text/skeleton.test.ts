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
])('%j looks like Bravo Barbers', (name) => {
  expect(skeletonOf(name)).toBe(skeletonOf('Bravo Barbers'));
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
});
