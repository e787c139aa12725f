import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type PageClient, whenPageMayRun } from '@/lib/http/edge/limits/pages';

/** Milliseconds after which a running anonymous request no longer delays other anonymous requests. */
const LONG = 100;
/** Maximum milliseconds that the server pauses between two anonymous requests. */
const PAUSE = 5;

const flooder = { id: '192.0.2.1', anonymous: true };
const visitor = { id: '192.0.2.2', anonymous: true };
const owner = { id: 'ses_1', anonymous: false };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Simulates a request for a page. Once started, the request runs until `end` is called. */
function open(client: PageClient, path = '/') {
  let started = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const done = whenPageMayRun(client, path, res, () => {
    started = true;
    return ended;
  });
  return { started: () => started, end, done };
}

type Page = ReturnType<typeof open>;

/** Waits until all pages that may run have started. Returns for each page whether it has started. */
async function startedOf(pages: Page[]): Promise<boolean[]> {
  const settle = async () => {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  await settle();
  vi.advanceTimersByTime(PAUSE);
  await settle();
  return pages.map(({ started }) => started());
}

async function finish(pages: Page[]): Promise<void> {
  for (const { end } of pages) end();
  while (pages.some(({ started }) => !started())) await startedOf(pages);
  vi.advanceTimersByTime(PAUSE);
  await Promise.all(pages.map(({ done }) => done));
}

test('anonymous pages run one at a time, in turn; sessions do not wait for them', async () => {
  const pages = [open(flooder), open(flooder, '/api/health'), open(flooder), open(visitor)];
  expect(await startedOf(pages)).toEqual([true, false, false, false]);
  const others = [open(owner), open(owner)];
  expect(await startedOf(others)).toEqual([true, true]);
  for (const page of pages.slice(0, 2)) {
    page.end();
    await startedOf(pages);
  }
  expect(await startedOf(pages)).toEqual([true, true, false, true]);
  await finish([...pages, ...others]);
});

test('anonymous pages that wait for something leave room for others, for at most six at a time', async () => {
  const pages = Array.from({ length: 8 }, () => open(flooder));
  for (const running of [1, 2, 3, 4, 5, 6, 6]) {
    expect((await startedOf(pages)).filter(Boolean)).toHaveLength(running);
    vi.advanceTimersByTime(LONG - PAUSE);
  }
  await finish(pages);
});
