import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unnoticed } from '../../support/bystander';
import { freshAddress } from '../../support/client';
import { startServer, type TestServer } from '../../support/server';
import { ask, open, type Raw } from './raw';

// A server of its own, because these limits concern the connections of all clients.
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
}, 60_000);
afterAll(() => server.stop());

const COMPLETE = 'GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';
const ORDINARY = 7_000;
const LARGE = 63_000;
/** The largest number of incomplete heads of `LARGE` bytes that fit into 16 MiB. */
const FIT = Math.floor((16 * 1024 * 1024) / LARGE);

const head = (bytes: number) => 'GET / HTTP/1.1\r\nHost: localhost\r\nCookie: '.padEnd(bytes, 'c');

/** Opens connections from different networks, and sends `text` on each. */
async function send(count: number, text: string): Promise<Raw[]> {
  const raws: Raw[] = [];
  for (let n = 0; n < count; n += 50) {
    raws.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - n) }, () => open(server.port, freshAddress())))),
    );
  }
  for (const raw of raws) raw.send(text);
  return raws;
}

const stillOpen = (raws: Raw[]) => raws.filter(({ socket }) => !socket.destroyed && !socket.readableEnded).length;

function closeAll(raws: Raw[]): void {
  for (const { socket } of raws) socket.destroy();
}

describe('incomplete heads', () => {
  it.each([
    ['as the first request', head(LARGE)],
    ['in the same packet as a complete request', COMPLETE + head(LARGE)],
    [
      'as trailers of a body',
      `POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'t:'.padEnd(LARGE, 'c')}`,
    ],
  ])('of all connections are bounded: the largest are closed (%s)', async (_, text) => {
    const ordinary = await send(100, head(ORDINARY));
    const large = await unnoticed(server.origin, () => send(600, text));
    await expect.poll(() => stillOpen(large), { timeout: 10_000 }).toBeLessThanOrEqual(FIT);
    await delay(500);
    expect(stillOpen(large)).toBeGreaterThan(FIT - 30);
    expect(stillOpen(ordinary)).toBe(100);
    for (const raw of ordinary) raw.send('\r\n\r\n');
    for (const raw of ordinary) expect((await raw.answer()).status).toBeLessThan(500);
    closeAll([...ordinary, ...large]);
  });

  it('do not include complete requests and bodies', async () => {
    const idle = await send(350, `${head(ORDINARY)}\r\n\r\n`.replace('GET /', 'GET /api/health/live'));
    for (const raw of idle) expect((await raw.answer()).status).toBe(200);
    const large = `POST /api/health/live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14000\r\nCookie: ${'c'.repeat(48_000)}\r\n\r\n`;
    for (const raw of idle) raw.send(large + 'b'.repeat(14_000));
    for (const raw of idle) expect((await raw.answer()).status).toBe(405);
    await delay(500);
    expect(stillOpen(idle)).toBe(350);
    closeAll(idle);
  });
});

describe('incomplete requests', () => {
  const incomplete = (body: number) =>
    `POST /api/invite HTTP/1.1\r\nHost: localhost\r\nCookie: ${'c'.repeat(62_000)}\r\nContent-Length: 10000\r\n\r\n${'b'.repeat(body)}`;

  it.each([0, 9_000])('of all clients without a session are bounded, with %d bytes of a body', async (body) => {
    const raws = await unnoticed(server.origin, () => send(700, incomplete(body)));
    const fit = Math.floor((32 * 1024 * 1024) / (62_000 + body));
    await expect.poll(() => stillOpen(raws), { timeout: 10_000 }).toBeLessThanOrEqual(fit);
    expect(stillOpen(raws)).toBeGreaterThan(fit - 30);
    const form =
      'POST /api/invite HTTP/1.1\r\nHost: localhost\r\nx-partner-booking: control-center\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
    expect((await ask(server.port, form)).status).toBe(400);
    closeAll(raws);
  });
});
