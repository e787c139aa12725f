import { expect, test } from 'vitest';
import { batched } from '@/lib/platform/batch';

/**
 * Returns `double`, a batched function that doubles numbers. `batches` contains the numbers of each batch that has
 * started. `ends` contains, for each of these batches, the function that ends it. `turn` waits for the next turn of the
 * event loop.
 */
function doubling() {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const double = batched(async (calls: number[]) => {
    batches.push(calls);
    await new Promise<void>((resolve) => ends.push(resolve));
    if (calls.includes(-1)) throw new Error('a refused batch');
    return calls.map((call) => 2 * call);
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { double, batches, ends, turn };
}

test('calls of one turn run together, and calls that arrive meanwhile form the next batch', async () => {
  const { double, batches, ends, turn } = doubling();
  const first = [double(1), double(2)];
  await turn();
  const second = [double(3), double(4)];
  await turn();
  expect(batches).toEqual([[1, 2]]);
  ends[0]?.();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await turn();
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  ends[1]?.();
  expect(await Promise.all(second)).toEqual([6, 8]);
});

test('a failed batch rejects its calls only', async () => {
  const { double, ends, turn } = doubling();
  const failed = Promise.allSettled([double(-1), double(1)]);
  await turn();
  const next = double(5);
  ends[0]?.();
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  ends[1]?.();
  expect(await next).toBe(10);
});

test('a batch that hangs does not hold up the next one', async () => {
  const { double, batches, ends } = doubling();
  const hanging = double(1);
  await new Promise((resolve) => setImmediate(resolve));
  const next = double(2);
  while (batches.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  ends[1]?.();
  expect(await next).toBe(4);
  ends[0]?.();
  expect(await hanging).toBe(2);
});

test('a batch has at most 1,000 calls', async () => {
  const { double, batches, ends, turn } = doubling();
  const doubled = Promise.all(Array.from({ length: 1_001 }, (_, call) => double(call)));
  await turn();
  ends[0]?.();
  while (batches.length < 2) await turn();
  ends[1]?.();
  expect(batches.map(({ length }) => length)).toEqual([1_000, 1]);
  expect((await doubled)[1_000]).toBe(2_000);
});
