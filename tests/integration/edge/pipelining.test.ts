import { EventEmitter } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Edge } from '@/lib/http/edge/exchange';
import { listen } from '@/lib/http/edge/lifecycle';
import { inTurn } from '@/lib/http/edge/limits/turns';
import { closeStuck } from '@/lib/http/edge/limits/unread';
import { createEdgeServer } from '@/lib/http/edge/server';
import { unnoticed } from '../../support/bystander';
import { sharedServer } from '../../support/shared';
import { expectContract, open } from './raw';

const { origin } = sharedServer();
const PORT = Number(new URL(origin).port);
const KEYLESS = 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n';
const page = (number: number) => `GET /${number} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

let server: Server | undefined;

/** Starts the edge with `next` in place of Next.js. Returns the port. */
async function around(next: Edge['next']): Promise<number> {
  server = createEdgeServer({ next, trustedProxies: 0, draining: false });
  return listen(server, '127.0.0.1', 0);
}

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

describe('many requests in one packet', () => {
  it('5,000 without a key are all answered, and another client does not notice', async () => {
    const result = await unnoticed(origin, async () => {
      const raw = await open(PORT);
      raw.send(`${KEYLESS.repeat(4_999)}${KEYLESS.replace('Host', 'Connection: close\r\nHost')}`);
      return raw.closed();
    });
    expect(result.match(/HTTP\/1\.1 (401|429) /g)).toHaveLength(5_000);
  });

  it('at most eight are handled at the same time, in order', async () => {
    const waiting: [string, ServerResponse][] = [];
    let most = 0;
    const port = await around(async (req, res) => {
      waiting.push([req.url ?? '', res]);
      most = Math.max(most, waiting.length);
      await new Promise((resolve) => res.once('close', resolve));
    });
    const raw = await open(port);
    raw.send(Array.from({ length: 100 }, (_, i) => page(i)).join(''));
    for (let number = 0; number < 100; number++) {
      await expect.poll(() => waiting.length, { interval: 1 }).toBeGreaterThan(0);
      const [url, res] = waiting.shift() ?? [];
      res?.end(url);
      expect((await raw.answer()).body).toBe(`/${number}`);
    }
    expect(most).toBeLessThanOrEqual(8);
    raw.socket.destroy();
  });

  it('those of a closed connection are not handled', async () => {
    const sockets: Socket[] = [];
    const port = await around(async (req, res) => {
      sockets.push(req.socket);
      await delay(20);
      res.end('a');
    });
    const raw = await open(port);
    raw.send(page(1).repeat(2_000));
    await expect.poll(() => sockets.length).toBeGreaterThan(0);
    raw.socket.destroy();
    // The server does not read from the connection while requests wait. It therefore notices that the client has closed
    // the connection only when it writes a response.
    await expect.poll(() => sockets[0]?.destroyed, { timeout: 5_000 }).toBe(true);
    const before = sockets.length;
    await delay(200);
    expect(sockets.length).toBe(before);
    expect(sockets.length).toBeLessThan(100);
  });

  it('a malformed one is answered last', async () => {
    const raw = await open(PORT);
    raw.send(`${KEYLESS.repeat(20)}nonsense\r\n\r\n`);
    for (let i = 0; i < 20; i++) expectContract(await raw.answer(), 401, 'invalid_api_key');
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await raw.closed()).toBe('');
  });

  it('the rest of a packet is discarded if too many requests of all connections wait', async () => {
    const others = Array.from({ length: 1_000 }, () => new PassThrough());
    for (const socket of others) {
      for (let i = 0; i < 16; i++)
        inTurn({ socket, url: '/', headers: {} } as never, new EventEmitter() as never, () => {});
    }
    const port = await around(() => new Promise(() => {}));
    let parsed = 0;
    server?.on('request', () => parsed++);
    const raw = await open(port);
    raw.send(page(1).repeat(1_000));
    expect(await raw.closed()).toBe('');
    expect(parsed).toBeLessThan(100);
    for (const socket of others) socket.destroy();
  });

  it('of 64 KB on each of 50 connections, at most a few thousand are parsed in one turn of the event loop', async () => {
    const port = await around(() => new Promise(() => {}));
    const seen = new Set<Socket>();
    let parsed = 0;
    let most = 0;
    server?.on('request', ({ socket }) => {
      if (parsed === 0) setImmediate(() => (parsed = 0));
      most = Math.max(most, ++parsed);
      seen.add(socket);
    });
    const all = await Promise.all(Array.from({ length: 50 }, () => open(port)));
    const packet = page(1).repeat(65_536 / page(1).length);
    for (const raw of all) raw.send(packet);
    await expect.poll(() => seen.size).toBe(50);
    expect(most).toBeLessThan(4_000);
    for (const raw of all) raw.socket.destroy();
  });

  it('of many connections with 1,000 each, most are not parsed after the first 10,000 of a second', async () => {
    const port = await around(async (_, res) => void res.end('a'));
    let parsed = 0;
    server?.on('request', () => parsed++);
    const begun = performance.now();
    for (let connection = 0; connection < 60; connection++) {
      const raw = await open(port);
      raw.send(page(1).repeat(1_000));
      // The server notices the end of the connection when it responds. The requests then no longer count as waiting.
      await delay(10);
      raw.socket.resetAndDestroy();
    }
    const seconds = Math.ceil((performance.now() - begun) / 1_000);
    expect(parsed).toBeLessThan(seconds * 10_000 + 60 * 100);
  });

  it('those after one that closes the connection are not answered', async () => {
    const raw = await open(PORT);
    raw.send(`${KEYLESS.replace('Host', 'Connection: close\r\nHost')}${KEYLESS.repeat(50)}`);
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    expect(await raw.closed()).toBe('');
  });

  it('a CONNECT after others does not stop the server', async () => {
    const raw = await open(PORT);
    raw.send(`${KEYLESS.repeat(20)}CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    for (let i = 0; i < 20; i++) expectContract(await raw.answer(), 401, 'invalid_api_key');
    await raw.closed();
    const again = await open(PORT);
    again.send(KEYLESS);
    expectContract(await again.answer(), 401, 'invalid_api_key');
    again.socket.destroy();
  });

  it('bodies of waiting requests arrive whole', async () => {
    const port = await around(async (req, res) => {
      let text = '';
      for await (const chunk of req) text += chunk;
      res.end(String(text.length));
    });
    const raw = await open(port);
    for (let i = 0; i < 30; i++) {
      raw.send(
        `POST /${i} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${i * 1_000}\r\n\r\n${'a'.repeat(i * 1_000)}`,
      );
    }
    for (let i = 0; i < 30; i++) expect((await raw.answer()).body).toBe(String(i * 1_000));
    raw.socket.destroy();
  });
});

it('a client that does not read its responses is cut off; one that reads slowly is not', async () => {
  server = createServer((_, res) => void res.end(Buffer.alloc(16 * 1024 * 1024)));
  closeStuck(server, { sweep: 50, patience: 4 });
  const cut: number[] = [];
  server.on('connection', (socket) => socket.once('close', () => cut.push(socket.remotePort ?? 0)));
  const port = await listen(server, '127.0.0.1', 0);
  const [deaf, idle] = await Promise.all([open(port), open(port)]);
  deaf.socket.pause();
  deaf.send(page(1));
  await expect.poll(() => cut).toHaveLength(1);
  idle.send(page(1).replace('GET', 'HEAD'));
  expect(await idle.answer({ method: 'HEAD' })).toMatchObject({ status: 200 });
  deaf.socket.destroy();
  idle.socket.destroy();
});
