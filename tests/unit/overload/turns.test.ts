import { expect, test } from 'vitest';
import { createTurns } from '@/lib/platform/turns';

/** Takes a turn for each client. `begun` lists the clients in the order of their turns. */
function taken(most: number, clients: string[]) {
  const { take } = createTurns(most);
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

test('a client has at most `each` turns', async () => {
  const turns = createTurns(4, 3);
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

test('groups take turns, and so do the clients of a group, which has at most `ofGroup` turns', async () => {
  const turns = createTurns(3, 2, 2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const take = async (client: string, group: string) => {
    const end = await turns.take(client, group);
    begun.push(client);
    ends.push(end);
  };
  for (const client of ['a', 'b', 'c', 'd', 'a']) void take(client, 'busy');
  await settled();
  expect(begun.join('')).toBe('ab');
  for (const client of ['x', 'x', 'x']) void take(client, 'quiet');
  await settled();
  expect(begun.join('')).toBe('abx');
  for (let ended = 0; ended < 5; ended++) {
    ends[ended]?.();
    await settled();
  }
  expect(begun.join('')).toBe('abxcxdxa');
});
