import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { takeNextTurn, whenPageMayRun } from '@/lib/http/edge/limits/pages';

/** Milliseconds after which a running request ends its turn. */
const LONG = 250;

beforeAll(() => {
  Object.assign(process.env, { DATABASE_URL: 'postgresql://127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Simulates a request for a page. Once started, the request runs until `end` is called. */
function open(client: string) {
  let started = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const done = whenPageMayRun(client, '/', res, () => {
    started = true;
    return ended;
  });
  return { started: () => started, end, done, refused: () => res.statusCode === 503 };
}

type Page = ReturnType<typeof open>;

/** Waits until all pages that may run have started. Returns for each page whether it has started. */
async function startedOf(pages: Page[]): Promise<boolean[]> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  return pages.map(({ started }) => started());
}

async function finish(pages: Page[]): Promise<void> {
  for (const { end } of pages) end();
  await Promise.all(pages.map(({ done }) => done));
}

test('three pages of a client and six pages run at a time, and clients take turns', async () => {
  const flood = Array.from({ length: 8 }, () => open('192.0.2.1'));
  expect((await startedOf(flood)).filter(Boolean)).toHaveLength(3);
  const others = Array.from({ length: 4 }, (_, n) => open(`ses_${n}`));
  expect(await startedOf(others)).toEqual([true, true, true, false]);
  flood[0]?.end();
  expect((await startedOf(flood)).filter(Boolean)).toHaveLength(4);
  expect(await startedOf(others)).toEqual([true, true, true, false]);
  flood[1]?.end();
  expect((await startedOf(flood)).filter(Boolean)).toHaveLength(4);
  expect(await startedOf(others)).toEqual([true, true, true, true]);
  await finish([...flood, ...others]);
});

test('a page that waits for something ends its turn', async () => {
  const pages = Array.from({ length: 6 }, () => open('192.0.2.1'));
  for (const running of [3, 6]) {
    expect((await startedOf(pages)).filter(Boolean)).toHaveLength(running);
    vi.advanceTimersByTime(LONG);
  }
  await finish(pages);
});

test('each call of a batch takes a turn of its own, behind the requests that wait already', async () => {
  const begun = [0, 0, 0, 0];
  const ends: (() => void)[][] = begun.map(() => []);
  const batches = begun.map((_, batch) =>
    whenPageMayRun('ses_1', '/', new ServerResponse(new IncomingMessage(new Socket())), async () => {
      for (let call = 0; call < 3; call += 1) {
        if (call > 0) await takeNextTurn();
        begun[batch] = call + 1;
        await new Promise<void>((resolve) => ends[batch]?.push(resolve));
      }
    }),
  );
  const endCall = async (batch: number) => {
    ends[batch]?.shift()?.();
    await startedOf([]);
    return [...begun];
  };
  await startedOf([]);
  expect(begun).toEqual([1, 1, 1, 0]);
  expect(await endCall(0)).toEqual([1, 1, 1, 1]);
  const page = open('ses_1');
  expect(await endCall(1)).toEqual([2, 1, 1, 1]);
  expect([await endCall(2), page.started()]).toEqual([[2, 1, 1, 1], true]);
  page.end();
  while (begun.some((calls) => calls < 3)) for (const batch of begun.keys()) await endCall(batch);
  for (const batch of begun.keys()) await endCall(batch);
  await Promise.all(batches);
  // No turn is left over.
  const pages = Array.from({ length: 4 }, () => open('ses_1'));
  expect(await startedOf(pages)).toEqual([true, true, true, false]);
  await finish(pages);
});

test('a hundred pages of a client and a thousand pages wait, and more are refused', async () => {
  const running = ['192.0.2.1', '192.0.2.1', '192.0.2.1', 'ses_1', 'ses_2', 'ses_3'].map(open);
  expect(await startedOf(running)).toEqual(Array(6).fill(true));
  const own = Array.from({ length: 101 }, () => open('192.0.2.1'));
  expect(own.filter(({ refused }) => refused())).toEqual(own.slice(100));
  const others = Array.from({ length: 910 }, (_, n) => open(`2001:db8:${n}::/64`));
  expect(others.filter(({ refused }) => refused())).toEqual(others.slice(900));
  await finish([...running, ...own, ...others]);
});
