import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { flushLog } from '@/lib/activity/request-log/buffer';
import type { Edge } from '@/lib/http/edge/exchange';
import { createDrain, listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { pool } from '@/lib/platform/db';
import { ask, expectContract, open } from './raw';

const GET = 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: localhost\r\n\r\n';

let server: Server | undefined;

/** Starts the edge in front of `next`, which replaces Next.js and fails in the way that the test needs. */
async function around(next: Edge['next']): Promise<{ port: number; drain: ReturnType<typeof createDrain> }> {
  const edge: Edge = { next, trustedProxies: 0, draining: false };
  server = createEdgeServer(edge);
  const drain = createDrain(server, edge);
  return { port: await listen(server, '127.0.0.1', 0), drain };
}

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

describe('an application that fails to respond', () => {
  const faults: [string, Edge['next']][] = [
    ['does not respond', async () => {}],
    ['rejects', () => Promise.reject(new Error('internal detail'))],
    [
      'sends its own error page',
      async (_, res) => {
        res.statusCode = 500;
        res.setHeader('Content-Type', 'text/html');
        res.setHeader('X-Powered-By', 'detail');
        res.end('internal detail');
      },
    ],
    [
      'streams its own page',
      async (_, res) => {
        res.writeHead(404, { 'Content-Type': 'text/html' });
        res.write('internal ');
        await new Promise((resolve) => setImmediate(resolve));
        res.end('detail');
      },
    ],
    [
      'redirects',
      async (_, res) => {
        res.writeHead(308, { Location: '/elsewhere' }).end('internal detail');
      },
    ],
    [
      'flushes headers and fails',
      async (_, res) => {
        res.flushHeaders();
        throw new Error('internal detail');
      },
    ],
  ];

  it.each(faults)("%s: the contract's 503", async (_, next) => {
    const { port } = await around(next);
    const raw = await open(port);
    for (let again = 0; again < 2; again++) {
      raw.send(GET);
      const answer = await raw.answer();
      expectContract(answer, 503, 'service_unavailable');
      expect(answer.body).not.toContain('detail');
      expect(answer.headers.has('x-powered-by')).toBe(false);
    }
    raw.socket.destroy();
  });

  it('does not change responses of other pages', async () => {
    const { port } = await around(async (_, res) => void res.writeHead(404).end('my page'));
    const answer = await ask(port, 'GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(answer).toMatchObject({ status: 404, body: 'my page' });
  });

  it('aborts a response that fails midway, without a second one', async () => {
    const { port } = await around(async (_, res) => {
      res.setHeader('X-Request-Id', 'req');
      res.setHeader('Content-Length', 10);
      res.write('half');
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('internal detail');
    });
    const raw = await open(port);
    raw.send(GET);
    expect((await raw.closed()).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('the request log', () => {
  it('has an entry for a request that the edge refused, without client input', async () => {
    const { port } = await around(async () => {});
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
    const { port, drain } = await around(async (_, res) => {
      await new Promise<void>((resolve) => flight.push(resolve));
      res.setHeader('X-Request-Id', 'req');
      res.end('whole');
    });
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
    const { port, drain } = await around(async (_, res) => void res.end('whole'));
    const slow = await open(port);
    const drained = drain(false);
    // The worker stopped accepting connections a second ago, which is longer than `HEADS`.
    await delay(2_000);
    slow.send('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await slow.answer()).body).toBe('whole');
    await Promise.all([slow.closed(), drained]);
  });
});

describe('a body that the application reads', () => {
  it('arrives in one piece; an endless one gets a response, is cut off, and never arrives', async () => {
    const seen: number[] = [];
    const { port } = await around(async (req, res) => {
      for await (const chunk of req) seen.push((chunk as Buffer).length);
      res.end('whole');
    });
    const whole = await open(port);
    whole.send('POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n');
    for (let sent = 0; sent < 4; sent++) whole.send(Buffer.alloc(50_000, 'a'));
    expect((await whole.answer()).body).toBe('whole');
    whole.socket.destroy();
    expect(seen).toEqual([200_000]);
    const raw = await open(port);
    raw.send('POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n');
    const block = Buffer.alloc(1024 * 1024, 'a');
    for (let sent = 0; sent < 20; sent++) raw.send(block);
    expectContract(await raw.answer(), 400, 'invalid_request');
    await raw.closed();
    expect(seen).toEqual([200_000]);
  });
});
