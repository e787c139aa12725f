import { expect, test } from 'vitest';
import { inParts } from '@/lib/platform/parts';

test('rows are inserted in order, in bounded parts, one part at a time', async () => {
  const rows = Array.from({ length: 620 }, (_, n) => n);
  const parts: number[][] = [];
  let running = 0;
  await inParts(rows, async (part) => {
    expect(running++).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    parts.push(part);
    running--;
  });
  expect(parts.map(({ length }) => length)).toEqual([250, 250, 120]);
  expect(parts.flat()).toEqual(rows);
});

test('without rows, nothing is inserted', async () => {
  await inParts([], () => expect.unreachable());
});
