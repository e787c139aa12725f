import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { errorBody } from '@/lib/contract/errors/body';
import { ERROR_CODES } from '@/lib/contract/errors/codes';
import { ATTACKS, type Attack, attack, begin, HEAD } from '@/tests/support/attacks';
import { makeBusiness } from '@/tests/support/factories';
import { freePort } from '@/tests/support/free-port';
import { CATALOG } from '@/tests/support/paths';
import { hasProxy, hurriedRecipe, RECIPES, startProxy } from '@/tests/support/proxies';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';

type Proxy = Awaited<ReturnType<typeof startProxy>>;

const NAMES = Object.keys(ATTACKS) as Attack[];
const CONNECTIONS = 50;
/** Maximum milliseconds of a partner's p99 beside an attack. */
const P99 = 100;
const MEASURED = 300;
const MALFORMED = `${HEAD}Transfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n`;
const MAX_BODY = 4 * 1024 ** 2;

let proxy: Proxy | null = null;
let upstream: Server | null = null;

afterEach(async () => {
  await proxy?.stop();
  upstream?.closeAllConnections();
  upstream?.close();
  [proxy, upstream] = [null, null];
});

/** Starts a server in place of the booking server, which counts what reaches it. */
async function counting() {
  const seen = { requests: 0, atOnce: 0, most: 0, buffers: 0 };
  upstream = createServer(async (req: IncomingMessage, res) => {
    // Caddy checks the health of its upstream servers.
    if (req.url === '/api/health') return void res.end();
    seen.requests += 1;
    seen.atOnce += 1;
    seen.most = Math.max(seen.most, seen.atOnce);
    try {
      for await (const _ of req) seen.buffers += 1;
      await delay(5);
      res.end('seen');
    } catch {
      // The proxy has broken off a body that it could not read to its end.
    } finally {
      seen.atOnce -= 1;
    }
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  return { seen, address: `127.0.0.1:${(upstream.address() as AddressInfo).port}` };
}

/** Sends a GET of the catalog, or a POST with `body`. */
async function ask(port: number, { host = 'booking.example', body = '' } = {}): Promise<IncomingMessage> {
  const server = { host: '127.0.0.1', port, servername: 'booking.example', rejectUnauthorized: false };
  const sent = request({ ...server, path: CATALOG, method: body ? 'POST' : 'GET', headers: { host } }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // A refused body is not read to its end.
  sent.on('error', () => {});
  return response;
}

/** Returns the p99 in milliseconds of requests that one partner sends one after another. */
async function p99(get: Proxy['get'], authorization: string): Promise<number> {
  const times: number[] = [];
  for (let sent = 0; sent < MEASURED; sent += 1) {
    const begun = performance.now();
    expect(await get(CATALOG, { authorization })).toBe(200);
    times.push(performance.now() - begun);
  }
  return times.sort((a, b) => a - b)[Math.floor(MEASURED * 0.99)] ?? 0;
}

test('the server behind the proxies counts requests and the buffers of their bodies', async () => {
  const { seen, address } = await counting();
  expect((await fetch(`http://${address}/page`, { method: 'POST', body: 'a' })).status).toBe(200);
  expect(seen).toMatchObject({ requests: 1, buffers: 1, most: 1, atOnce: 0 });
});

const INSTALLED = (Object.keys(RECIPES) as (keyof typeof RECIPES)[]).filter((program) =>
  hasProxy(program, repeats(5, 5 + NAMES.length), 'the attacks on a proxy'),
);

// First: after the attacks, the server refuses this address with a 429.
for (const program of INSTALLED)
  test(`${program} passes on a refusal as the server sends it`, async () => {
    proxy = await startProxy(RECIPES[program], `127.0.0.1:${new URL(sharedServer().origin).port}`);
    const response = await ask(proxy.port);
    const { error, meta } = errorBody.parse(await json(response));
    expect([response.statusCode, error.code, response.headers]).toEqual([
      401,
      'invalid_api_key',
      expect.objectContaining({
        'cache-control': 'private, no-store',
        'content-type': expect.stringContaining('application/json'),
        'www-authenticate': expect.stringContaining('Bearer'),
        'x-request-id': meta.request_id,
      }),
    ]);
  });

for (const program of INSTALLED) {
  test(`${program} answers with the error of the contract while no instance responds`, async () => {
    proxy = await startProxy(RECIPES[program], `127.0.0.1:${await freePort()}`);
    const response = await ask(proxy.port);
    const { error, meta } = errorBody.parse(await json(response));
    expect([response.statusCode, error, response.headers]).toEqual([
      503,
      {
        code: 'service_unavailable',
        message: ERROR_CODES.service_unavailable.message,
        reason: null,
        fields: [],
        doc_url: 'https://booking.example/docs/errors/service_unavailable',
      },
      expect.objectContaining({
        'cache-control': 'private, no-store',
        'content-type': 'application/json; charset=utf-8',
        'referrer-policy': 'no-referrer',
        'retry-after': '2',
        'x-request-id': meta.request_id,
      }),
    ]);
  });

  test(`${program} refuses bodies that are too large or malformed, and does not call it a fault of the server`, async () => {
    const { address } = await counting();
    proxy = await startProxy(RECIPES[program], address);
    expect((await ask(proxy.port, { body: 'a'.repeat(MAX_BODY + 1) })).statusCode).toBe(413);
    expect((await ask(proxy.port, { body: 'a'.repeat(MAX_BODY) })).statusCode).toBe(200);
    const malformed = await begin(proxy.port, MALFORMED);
    expect(await text(malformed)).toMatch(/^HTTP\/1\.1 400 /);
    const host = 'other.example';
    // nginx passes any name on, and the server refuses it.
    expect((await ask(proxy.port, { host })).statusCode).toBe(program === 'caddy' ? 421 : 200);
  });

  test(`${program} closes heads and bodies that do not end`, async () => {
    const { seen, address } = await counting();
    proxy = await startProxy(hurriedRecipe(program, 3), address);
    const { port } = proxy;
    const before = seen.requests;
    const never = ['bodies that never complete', 'unfinished heads', 'half request lines'] as const;
    const sockets = (await Promise.all(never.map((name) => attack(port, name, 5)))).flat();
    const head = await begin(port, HEAD);
    const body = await begin(port, `${HEAD}Content-Length: 100000\r\n\r\n`);
    // Of a body that comes slowly, nginx bounds only the pauses.
    const dribbled = program === 'nginx' ? [head] : [head, body];
    const dribbling = setInterval(() => {
      head.write('X-A: b\r\n');
      body.write('a');
    }, 200);
    try {
      await expect
        .poll(() => [...sockets, ...dribbled].filter((socket) => !socket.closed).length, { timeout: 45_000 })
        .toBe(0);
      if (program === 'nginx') expect(body.closed).toBe(false);
    } finally {
      clearInterval(dribbling);
      for (const socket of [...sockets, head, body]) socket.destroy();
    }
    expect(seen.requests).toBe(before);
  }, 60_000);

  test(`${program} passes on only complete requests, in few parts, one at a time`, async () => {
    const { seen, address } = await counting();
    proxy = await startProxy(RECIPES[program], address);
    const { get, port } = proxy;
    const before = seen.requests;
    for (const name of ['bodies that never complete', 'unfinished heads', 'half request lines'] as const) {
      const sockets = await attack(port, name, 20);
      // A request that arrives after the attack shows that the proxy has read what was sent before.
      expect(await get('/page')).toBe(200);
      for (const socket of sockets) socket.destroy();
    }
    expect(seen.requests).toBe(before + 3);
    seen.buffers = 0;
    const chunked = await attack(port, 'ten thousand chunks of one byte', 1);
    await expect.poll(() => seen.requests).toBe(before + 4);
    await expect.poll(() => seen.atOnce).toBe(0);
    expect(seen.buffers).toBeLessThan(100);
    seen.most = 0;
    const pipelined = await attack(port, 'five hundred pipelined requests', 1);
    await expect.poll(() => seen.requests).toBeGreaterThan(before + 50);
    expect(seen.most).toBe(1);
    for (const socket of [...chunked, ...pipelined]) socket.destroy();
  });

  // Measured times need a machine without other work, so these tests run only in `npm run test:soak`.
  for (const name of NAMES.slice(0, repeats(0, NAMES.length)))
    test(`beside ${name} through ${program}, the p99 of a partner stays below ${P99} ms`, async () => {
      const { key } = await makeBusiness({ quota: 100_000 });
      proxy = await startProxy(RECIPES[program], `127.0.0.1:${new URL(sharedServer().origin).port}`);
      const { get, port } = proxy;
      const alone = await p99(get, `Bearer ${key}`);
      const sockets = await attack(port, name, CONNECTIONS);
      const beside = await p99(get, `Bearer ${key}`);
      for (const socket of sockets) socket.destroy();
      console.log(`${program}, ${name}: p99 ${beside.toFixed(0)} ms, alone ${alone.toFixed(0)} ms`);
      expect(beside).toBeLessThan(P99);
    }, 60_000);
}
