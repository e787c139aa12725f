import type { IncomingMessage, Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Edge } from '@/lib/http/edge/exchange';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { freshAddress } from '../../support/client';
import { sharedServer } from '../../support/shared';
import { expectContract, open, type Raw } from './raw';

let server: Server | undefined;

/** Starts the edge with `next` in place of Next.js. Returns the port. */
async function around(next: Edge['next']): Promise<number> {
  server = createEdgeServer({ next, trustedProxies: 0, draining: false });
  return listen(server, '127.0.0.1', 0);
}

/** Starts the edge. Each response lists the sizes of the chunks in which the request body was read. */
const counting = () =>
  around(async (req, res) => {
    const sizes: number[] = [];
    for await (const chunk of req) sizes.push((chunk as Buffer).length);
    res.end(JSON.stringify(sizes));
  });

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const CHUNKED = 'POST /upload HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
const SIZED = 'POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n';

async function chunked(raw: Raw, count: number) {
  raw.send(`${CHUNKED}${'1\r\na\r\n'.repeat(count)}0\r\n\r\n`);
  return raw.answer();
}

describe('a body of small chunks', () => {
  it('is passed on in one piece, and the connection stays open', async () => {
    const raw = await open(await counting());
    expect((await chunked(raw, 1_000)).body).toBe('[1000]');
    expect((await chunked(raw, 3)).body).toBe('[3]');
    raw.send('POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
    expect((await raw.answer()).body).toBe('[]');
    raw.socket.destroy();
  });

  it('is refused and never passed on if there are very many', async () => {
    let asked = 0;
    const port = await around(async () => {
      asked += 1;
    });
    const raw = await open(port);
    expectContract(await chunked(raw, 2_000), 400, 'invalid_request');
    await raw.closed();
    expect(asked).toBe(0);
  });

  it('costs no buffer for each further chunk, and the parser passes on the next body', async () => {
    const port = await counting();
    let buffers = 0;
    server?.on('request', ({ socket }: IncomingMessage) => {
      const parser = Reflect.get(socket, 'parser');
      const key = parser.constructor.kOnBody;
      const onBody = parser[key];
      parser[key] = function count(this: unknown, ...args: unknown[]) {
        buffers += 1;
        return onBody.apply(this, args);
      };
    });
    const raw = await open(port);
    expectContract(await chunked(raw, 8_000), 400, 'invalid_request');
    await raw.closed();
    expect(buffers).toBeGreaterThan(1_000);
    expect(buffers).toBeLessThan(1_100);
    for (let n = 0; n < 5; n += 1) expect((await chunked(await open(port), 3)).body).toBe('[3]');
  });
});

describe('a body that is not complete', () => {
  it('takes no turn: the application is called when the body is complete, and never if the client leaves', async () => {
    let asked = 0;
    const port = await around(async (_, res) => {
      asked += 1;
      res.end('done');
    });
    const raws = await Promise.all(Array.from({ length: 20 }, () => open(port)));
    for (const raw of raws) raw.send(`${SIZED}half`);
    await delay(300);
    expect(asked).toBe(0);
    const [first, second, ...others] = raws;
    first?.send(' body!');
    expect((await first?.answer())?.body).toBe('done');
    second?.socket.destroy();
    for (const raw of others) raw.send(' body!');
    for (const raw of others) expect((await raw.answer()).body).toBe('done');
    expect(asked).toBe(19);
  });

  it('is passed on whole if a part arrives while the request waits for earlier requests', async () => {
    const port = await counting();
    const raw = await open(port);
    raw.send(`${SIZED.repeat(1)}0123456789`.repeat(5) + SIZED);
    for (let n = 0; n < 5; n += 1) expect((await raw.answer()).body).toBe('[10]');
    raw.send('01234');
    await delay(50);
    raw.send('56789');
    expect((await raw.answer()).body).toBe('[10]');
    raw.socket.destroy();
  });
});

it('small chunks that arrive while a request waits are passed on in one piece', async () => {
  const port = await around(async (req, res) => {
    const sizes: number[] = [];
    req.on('data', (chunk: Buffer) => sizes.push(chunk.length));
    req.on('end', () => res.end(JSON.stringify(sizes)));
  });
  const raw = await open(port);
  raw.send(`${`${SIZED}0123456789`.repeat(4)}${CHUNKED}${'1\r\na\r\n'.repeat(200)}0\r\n\r\n`);
  for (let n = 0; n < 4; n += 1) expect((await raw.answer()).body).toBe('[10]');
  expect((await raw.answer()).body).toBe('[200]');
  raw.socket.destroy();
});

it('bodies that were refused before they were complete do not count against later requests', async () => {
  const port = await counting();
  const address = freshAddress();
  for (let n = 0; n < 2; n += 1) {
    const raw = await open(port, address);
    raw.send(`${CHUNKED}800000\r\n`);
    raw.send(Buffer.alloc(7 * 1024 * 1024, 'a'));
    expect((await raw.answer()).status).toBe(400);
    raw.socket.destroy();
  }
  const raw = await open(port, address);
  raw.send(SIZED);
  await delay(50);
  raw.send('0123456789');
  expect((await raw.answer()).body).toBe('[10]');
  raw.socket.destroy();
});

it('Next.js accepts a body of which a part arrived while its request waited', async () => {
  const raw = await open(Number(new URL(sharedServer().origin).port));
  const head =
    'POST /api/trpc/applications.create HTTP/1.1\r\nHost: localhost\r\nX-Partner-Booking: control-center\r\n';
  const call = `${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n`;
  raw.send(`${`${call}{}`.repeat(4)}${call}{`);
  for (let n = 0; n < 4; n += 1) expect((await raw.answer()).status).toBe(401);
  raw.send('}');
  expect((await raw.answer()).status).toBe(401);
  raw.socket.destroy();
});

it('the head of a request is not kept once its response was sent', async () => {
  const port = await around(async (_, res) => void res.end('done'));
  const heads: (() => number)[] = [];
  server?.on('request', (req: IncomingMessage) => heads.push(() => req.rawHeaders.join('').length));
  const raw = await open(port);
  raw.send(`GET /page HTTP/1.1\r\nHost: localhost\r\nCookie: ${'c'.repeat(60_000)}\r\n\r\n`);
  expect((await raw.answer()).body).toBe('done');
  await expect.poll(() => heads.map((length) => length())).toEqual([0]);
  raw.socket.destroy();
});

describe('a closed connection', () => {
  it('formats no stack for each of its waiting requests', async () => {
    let respond = () => {};
    const responding = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const port = await around(async (_, res) => {
      await responding;
      res.end('done');
    });
    const raw = await open(port);
    raw.send('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(500));
    await delay(200);
    const { prepareStackTrace } = Error;
    let formatted = 0;
    Error.prepareStackTrace = (error) => {
      formatted += 1;
      return String(error);
    };
    raw.socket.resetAndDestroy();
    await delay(100);
    // The server does not read from a connection with waiting requests, so only a write detects the reset.
    respond();
    await expect.poll(() => new Promise((resolve) => server?.getConnections((_, count) => resolve(count)))).toBe(0);
    Error.prepareStackTrace = prepareStackTrace;
    expect(formatted).toBeLessThan(20);
  });
});
