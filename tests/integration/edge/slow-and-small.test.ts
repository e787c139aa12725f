import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { unnoticed } from '../../support/bystander';
import { freshAddress } from '../../support/client';
import { sharedServer } from '../../support/shared';
import { open, type Raw } from './raw';

const { origin } = sharedServer();
const PORT = Number(new URL(origin).port);

const post = (path: string, more: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nx-partner-booking: control-center\r\n${more}\r\n`;

const CHUNKED = 'Transfer-Encoding: chunked\r\n';

async function opened(count: number, address?: string): Promise<Raw[]> {
  return Promise.all(Array.from({ length: count }, () => open(PORT, address)));
}

function closeAll(raws: Raw[]): void {
  for (const { socket } of raws) socket.destroy();
}

/** Returns the duration of the slowest of several requests that `send` makes one after another. */
async function slowest(count: number, send: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const begun = performance.now();
    await send();
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

describe('another client does not notice', () => {
  it('thousands of pipelined requests whose connections are reset', async () => {
    await unnoticed(origin, async () => {
      for (let round = 0; round < 4; round += 1) {
        const raws = await opened(8);
        for (const raw of raws) raw.send('GET / HTTP/1.1\r\n\r\n'.repeat(1_200));
        await delay(120);
        for (const { socket } of raws) socket.resetAndDestroy();
      }
    });
  });

  it.each([
    '/api/trpc/applications.list',
    '/api/trpc/catalog.transfer.check',
    '/api/setup',
    '/api/partner/v1/bookings',
  ])('a body of 300,000 one-byte chunks to %s, which is refused', async (path) => {
    const answer = await unnoticed(origin, async () => {
      const raw = await open(PORT);
      raw.send(post(path, CHUNKED) + '1\r\na\r\n'.repeat(300_000));
      const { status } = await raw.answer();
      raw.socket.destroy();
      return status;
    });
    // The partner API refuses a request without a key before it reads the body.
    expect(answer).toBe(path.startsWith('/api/partner/') ? 401 : 400);
  });
});

describe('slow bodies', () => {
  it('occupy no turn of the pages', async () => {
    const page = () => fetch(`${origin}/sign-in`).then((response) => response.text());
    await page();
    const raws = (await Promise.all(Array.from({ length: 20 }, () => opened(3, freshAddress())))).flat();
    for (const raw of raws) raw.send(`${post('/api/invite', 'Content-Length: 10000\r\n')}{"a":"`);
    const begun = performance.now();
    const longest = await slowest(5, page);
    expect(longest).toBeLessThan(Math.max(1_500, (performance.now() - begun) / 2));
    closeAll(raws);
  });

  it('of one client are limited in total, and other clients can still send bodies', async () => {
    const raws = await opened(6, freshAddress());
    const block = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const head = post('/api/trpc/catalog.transfer.check', CHUNKED);
    const answers = raws.map((raw) => raw.answer().then(({ status }) => status, String));
    for (const raw of raws) raw.send(head + block.repeat(63));
    // Two incomplete bodies of 4 MiB fit into the limit of a client, so the other four requests get a 503.
    await expect
      .poll(async () => {
        const settled = await Promise.all(answers.map((answer) => Promise.race([answer, delay(1).then(() => null)])));
        return settled.filter((status) => status === 503).length;
      })
      .toBeGreaterThanOrEqual(4);
    const other = await open(PORT);
    other.send(post('/api/invite', 'Content-Length: 2\r\n'));
    other.send('{}');
    expect((await other.answer()).status).toBe(400);
    closeAll([...raws, other]);
  });
});
