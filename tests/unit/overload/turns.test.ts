import { afterEach, expect, test, vi } from 'vitest';
import { createTurns } from '@/lib/platform/turns';

/** Takes a turn for each client. `begun` lists the clients in the order of their turns. */
function taken(most: number, clients: string[], young?: Parameters<typeof createTurns>[1]) {
  const { take } = createTurns(most, young);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = async (client: string) => {
    const end = await take(client);
    begun.push(client);
    ends.push(end);
  };
  const all = clients.map(add);
  return { begun, ends, add, all };
}

afterEach(() => void vi.useRealTimers());

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('at most as many turns run as allowed, and clients take turns', async () => {
  const { begun, ends } = taken(2, ['a', 'a', 'a', 'a', 'a', 'b', 'b', 'c']);
  await settled();
  expect(begun.join('')).toBe('aa');
  for (let ended = 0; ended < 6; ended++) {
    ends[ended]?.();
    await settled();
  }
  expect(begun.join('')).toBe('aaabcaba');
});

test('a turn ends once, and its place is free when no turn waits', async () => {
  const { begun, ends, add } = taken(1, ['a', 'b']);
  await settled();
  ends[0]?.();
  ends[0]?.();
  await settled();
  expect(begun.join('')).toBe('ab');
  const third = add('c');
  await settled();
  expect(begun.join('')).toBe('ab');
  ends[1]?.();
  await third;
  expect(begun.join('')).toBe('abc');
  ends[2]?.();
  await add('d');
  expect(begun.join('')).toBe('abcd');
});

test('turns that run long leave room for others, up to the bound of all', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { begun, ends } = taken(4, ['a', 'a', 'a', 'b', 'a', 'c', 'd'], { most: () => 2, age: 100 });
  await settled();
  expect(begun.join('')).toBe('aa');
  ends[0]?.();
  await settled();
  expect(begun.join('')).toBe('aaa');
  vi.advanceTimersByTime(100);
  await settled();
  expect(begun.join('')).toBe('aaabc');
  // Four turns are running. The two turns of `a` are older than `age`. The turns of `b` and `c` are younger. At most
  // two running turns may be younger than `age`, so no turn starts when one turn of `a` ends.
  ends[1]?.();
  ends[1]?.();
  await settled();
  expect(begun.join('')).toBe('aaabc');
  ends[3]?.();
  await settled();
  expect(begun.join('')).toBe('aaabcd');
});

test('a client without a running turn need not wait for those of a busier client', async () => {
  const { begun, ends } = taken(8, ['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd'], { most: () => 2, age: 60_000, extra: 2 });
  await settled();
  // The two turns of `a` use up the limit `most` for young turns. Two more turns (the value of `extra`) may run for
  // clients without a running turn, so `b` and `c` get one each. The second turn of `b` and the turn of `d` wait.
  expect(begun.join('')).toBe('aabc');
  ends[0]?.();
  await settled();
  // The next turn is one of the `extra` turns, which only a client without a running turn can get. So `d` gets it,
  // although `a` has waited longer.
  expect(begun.join('')).toBe('aabcd');
  for (const end of ends.slice(1, 4)) end();
  await settled();
  expect(begun.join('')).toBe('aabcdab');
});

test('a limit that falls stops no turn, but fewer turns start until it rises again', async () => {
  let most = 3;
  const { begun, ends } = taken(8, ['a', 'a', 'a', 'a', 'a', 'a', 'a'], { most: () => most, age: 60_000 });
  await settled();
  expect(begun).toHaveLength(3);
  most = 2;
  ends[0]?.();
  await settled();
  expect(begun).toHaveLength(3);
  ends[1]?.();
  await settled();
  expect(begun).toHaveLength(4);
  most = 3;
  ends[2]?.();
  await settled();
  expect(begun).toHaveLength(6);
});

test('a client has at most `each` turns', async () => {
  const turns = createTurns(4, undefined, 3);
  const begun: string[] = [];
  const take = (client: string) =>
    turns.take(client).then((end) => {
      begun.push(client);
      return end;
    });
  const first = take('a');
  for (const client of ['a', 'a', 'a', 'b', 'b']) void take(client);
  await settled();
  expect(begun.join('')).toBe('aaab');
  (await first)();
  await settled();
  expect(begun.join('')).toBe('aaaba');
});
