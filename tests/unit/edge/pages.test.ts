import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type PageClient, whenPageMayRun } from '@/lib/http/edge/limits/pages';

/** Milliseconds after which a running anonymous request no longer delays other anonymous requests. */
const LONG = 100;
/** Maximum milliseconds that the server pauses between two anonymous requests. */
const PAUSE = 5;

const MiB = 1024 * 1024;

const flooder: PageClient = { id: '192.0.2.1', kind: 'anonymous' };
const visitor: PageClient = { id: '192.0.2.2', kind: 'anonymous' };
const owner: PageClient = { id: 'ses_1', kind: 'session' };
const colleague: PageClient = { id: 'ses_2', kind: 'session' };
const network = (kind: PageClient['kind'], n: number): PageClient => ({ id: `2001:db8:${n}::/64`, kind });

beforeAll(() => {
  Object.assign(process.env, { DATABASE_URL: 'postgresql://127.0.0.1:1/none', SECRET_KEY: 'x'.repeat(32) });
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Simulates a request for a page. Once started, the request runs until `end` is called. */
function open(client: PageClient, { path = '/', bytes = 100, calls = 1 } = {}) {
  let started = false;
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const done = whenPageMayRun({ client, path, bytes, calls }, res, () => {
    started = true;
    return ended;
  });
  return { started: () => started, end, done, refused: () => res.statusCode === 503, leave: () => res.emit('close') };
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
  while (pages.some(({ started, refused }) => !started() && !refused())) await startedOf(pages);
  await Promise.all(pages.map(({ done }) => done));
  vi.advanceTimersByTime(LONG);
}

test('anonymous pages run one at a time, in turn; sessions do not wait for them', async () => {
  const pages = [open(flooder), open(flooder, { path: '/api/health' }), open(flooder), open(visitor)];
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

test.each(['attempt', 'inngest', 'anonymous'] as const)(
  'sessions neither wait for nor are refused because of %s requests from many networks',
  async (kind) => {
    const flood = Array.from({ length: 1_001 }, (_, n) => open(network(kind, n)));
    const pages = Array.from({ length: 7 }, (_, n) => open(n < 3 ? owner : colleague));
    expect(await startedOf(pages)).toEqual([true, true, true, true, true, true, false]);
    expect(flood.filter(({ refused }) => refused())).toEqual(flood.slice(1_000));
    await finish([...flood, ...pages]);
  },
);

test('attempts to gain access run one at a time, with a pause as long as the attempt', async () => {
  const attempts = [1, 2].map((n) => open(network('attempt', n)));
  expect(await startedOf(attempts)).toEqual([true, false]);
  const begun = performance.now();
  while (performance.now() - begun < 4 * PAUSE);
  attempts[0]?.end();
  expect(await startedOf(attempts)).toEqual([true, false]);
  vi.advanceTimersByTime(LONG);
  expect(await startedOf(attempts)).toEqual([true, true]);
  await finish(attempts);
});

test('an attempt keeps its turn after its client has closed the connection', async () => {
  const attempts = [1, 2].map((n) => open(network('attempt', n)));
  expect(await startedOf(attempts)).toEqual([true, false]);
  attempts[0]?.leave();
  expect(await startedOf(attempts)).toEqual([true, false]);
  await finish(attempts);
});

test('a client may have 9 MiB of unfinished requests', async () => {
  for (const client of [flooder, owner]) {
    const pages = [
      open(client, { bytes: 4 * MiB }),
      open(client, { bytes: 5 * MiB - 100 }),
      open(client),
      open(client),
    ];
    expect(pages.map(({ refused }) => refused())).toEqual([false, false, false, true]);
    await finish(pages);
    const later = open(client, { bytes: 9 * MiB });
    expect(later.refused()).toBe(false);
    await finish([later]);
  }
});

test('all networks together may have 32 MiB of unfinished requests, and sessions as much in addition', async () => {
  const flood = Array.from({ length: 9 }, (_, n) => open(network('anonymous', n), { bytes: 4 * MiB }));
  expect(flood.map(({ refused }) => refused())).toEqual([...Array(8).fill(false), true]);
  const page = open(owner, { bytes: 4 * MiB });
  expect(page.refused()).toBe(false);
  await finish([...flood, page]);
});

test('at most three calls of a session run, so that there is always room for another session', async () => {
  const pages = Array.from({ length: 6 }, () => open(owner));
  expect(await startedOf(pages)).toEqual([true, true, true, false, false, false]);
  const other = open(colleague);
  expect(await startedOf([other])).toEqual([true]);
  await finish([...pages, other]);
});

test('each call of a batch counts as a request', async () => {
  const batches = [open(owner, { calls: 2 }), open(owner, { calls: 10 }), open(owner)];
  expect(await startedOf(batches)).toEqual([true, false, false]);
  batches[0]?.end();
  expect(await startedOf(batches)).toEqual([true, true, false]);
  await finish(batches);
  const flood = Array.from({ length: 11 }, () => open(owner, { calls: 10 }));
  expect(flood.map(({ refused }) => refused())).toEqual([...Array(10).fill(false), true]);
  await finish(flood);
});
