import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { flushLog } from '@/lib/activity/request-log/buffer';
import type { Edge, Routes } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import type { Respond } from '@/lib/http/partner-api/web';
import { pool } from '@/lib/platform/db';
import { edgeWith } from '../../support/edge';
import { ask, expectContract, open } from './raw';

const GET = 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n';

const PAGE = 'GET /page HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n';

/** Routes of which each calls `respond`. */
const routesTo = (respond: Respond) => new Proxy({}, { get: () => respond }) as Routes;

let server: Server | undefined;

/** Starts the edge in front of `given`, which responds or fails in the way that the test needs. */
async function around(given: Partial<Edge>): Promise<{ port: number; drain: ReturnType<typeof createDrain> }> {
  const edge = edgeWith(given);
  server = createEdgeServer(edge);
  const drain = createDrain(server, edge);
  return { port: await listen(server, '127.0.0.1', 0), drain };
}

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

describe('an application that fails to respond', () => {
  it("to a partner request: the contract's 503", async () => {
    const { port } = await around({ routes: routesTo(() => Promise.reject(new Error('internal detail'))) });
    const raw = await open(port);
    for (let again = 0; again < 2; again++) {
      raw.send(GET);
      const answer = await raw.answer();
      expectContract(answer, 503, 'service_unavailable');
      expect(answer.body).not.toContain('detail');
    }
    raw.socket.destroy();
  });

  it('to another request: a 500 without its error; what Next.js responds stays, but no cache keeps an error', async () => {
    const { port } = await around({
      next: async ({ url }, res) => {
        if (url === '/fails') throw new Error('internal detail');
        res.setHeader('Cache-Control', 's-maxage=31536000');
        res.writeHead(url === '/found' ? 200 : 404).end('my page');
      },
    });
    const get = (path: string) => ask(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n`);
    const [fails, nothing, found] = [await get('/fails'), await get('/nothing'), await get('/found')];
    expect(fails).toMatchObject({ status: 500, body: 'Internal Server Error' });
    expect(nothing).toMatchObject({ status: 404, body: 'my page' });
    expect(nothing.headers.get('cache-control')).toBe('no-store');
    expect(found.headers.get('cache-control')).toBe('s-maxage=31536000');
  });

  it('aborts a response that fails midway, without a second one', async () => {
    const { port } = await around({
      next: async (_, res) => {
        res.setHeader('Content-Length', 10);
        res.write('half');
        await new Promise((resolve) => setImmediate(resolve));
        throw new Error('internal detail');
      },
    });
    const raw = await open(port);
    raw.send(PAGE);
    expect((await raw.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('the request log', () => {
  it('has an entry for a request that the edge refused, without client input', async () => {
    const { port } = await around({});
    const { headers } = await ask(port, 'GET /api/partner/secret HTTP/1.1\r\nSecret secret\r\n\r\n');
    await flushLog();
    const { rows } = await pool().query('SELECT * FROM request_log WHERE request_id = $1', [
      headers.get('x-request-id'),
    ]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      method: '-',
      path: null,
      route: null,
      status: 400,
      code: 'invalid_request',
      tenant_id: null,
    });
    expect(JSON.stringify(rows)).not.toContain('secret');
  });
});

describe('draining', () => {
  it('finishes requests in flight, closes idle connections, and accepts no new ones', async () => {
    const flight: (() => void)[] = [];
    const respond = async () => {
      await new Promise<void>((resolve) => flight.push(resolve));
      return { status: 200, headers: {}, body: 'whole' };
    };
    const { port, drain } = await around({ routes: routesTo(respond) });
    const [silent, idle, busy] = await Promise.all([open(port), open(port), open(port)]);
    const asked = (count: number) => expect.poll(() => flight.length).toBe(count);
    idle.send(GET);
    await asked(1);
    flight[0]?.();
    expect((await idle.answer()).body).toBe('whole');
    busy.send(GET);
    await asked(2);
    const drained = drain();
    await Promise.all([silent.closed(), idle.closed()]);
    const late = connect(port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    flight[1]?.();
    const answer = await busy.answer();
    expect(answer.body).toBe('whole');
    expect(answer.headers.get('connection')).toBe('close');
    await drained;
  });

  it('of a worker that is being replaced waits for the first request of a connection', async () => {
    const { port, drain } = await around({ next: async (_, res) => void res.end('whole') });
    const slow = await open(port);
    const drained = drain(false);
    // The worker stopped accepting connections a second ago, which is longer than `HEADS`.
    await delay(2_000);
    slow.send(PAGE);
    expect((await slow.answer()).body).toBe('whole');
    await Promise.all([slow.closed(), drained]);
  });
});

describe('a body', () => {
  const post = (more: string) => `POST /api/partner/v1/bookings HTTP/1.1\r\nHost: localhost\r\n${more}\r\n\r\n`;

  /** Starts the edge with routes that respond with the length of the body, of which they read at most 10 bytes. */
  async function measuring() {
    const respond: Respond = async ({ readBytes }) => {
      const body = await readBytes(10).then(({ length }) => String(length), String);
      return { status: 200, headers: {}, body };
    };
    return (await around({ routes: routesTo(respond) })).port;
  }

  it('is read up to the limit, and the rest is discarded, so the connection stays open', async () => {
    const raw = await open(await measuring());
    for (const [length, expected] of [
      [10, '10'],
      [11, 'AppError: The body is larger than 16 KiB.'],
      [4_000_000, 'AppError: The body is larger than 16 KiB.'],
      [0, '0'],
    ] as const) {
      raw.send(post(`Content-Length: ${length}`));
      raw.send(Buffer.alloc(length, 'a'));
      expect((await raw.answer()).body).toBe(expected);
    }
    raw.send(post('Transfer-Encoding: chunked'));
    raw.send('1\r\na\r\n'.repeat(10_000));
    expect((await raw.answer()).body).toBe('AppError: The body is larger than 16 KiB.');
    raw.socket.destroy();
  });

  it('that ends too early ends its reading, and the connection closes after the route’s response', async () => {
    const raw = await open(await measuring());
    raw.send(post('Content-Length: 10'));
    raw.socket.end('half');
    expect((await raw.answer()).body).toBe('AppError: The connection ended before the request was complete.');
    expect(await raw.closed()).toBe('');
  });

  it('of a page must announce its length', async () => {
    const { port } = await around({});
    const bytes = 'POST /sign-in HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await ask(port, bytes)).toMatchObject({ status: 411, body: 'Length Required' });
  });
});
