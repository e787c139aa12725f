import { expect, it } from 'vitest';
import { orderedOutputs } from '@/scripts/test/output';

it('prints the groups in order, the first one that still runs at once', () => {
  const printed: string[] = [];
  const [first, second, third] = orderedOutputs(3, (text) => printed.push(text));
  second?.write('second ');
  first?.write('first ');
  third?.write('third ');
  expect(printed).toEqual(['first ']);
  third?.end();
  first?.end();
  expect(printed).toEqual(['first ', 'second ']);
  second?.write('more ');
  expect(printed).toEqual(['first ', 'second ', 'more ']);
  second?.end();
  expect(printed).toEqual(['first ', 'second ', 'more ', 'third ']);
});
