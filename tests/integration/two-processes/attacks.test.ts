import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { errorBody } from '@/lib/contract/errors/body';
import { ATTACKS, type Attack, attack } from '@/tests/support/attacks';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { hasProxy, RECIPES, startProxy } from '@/tests/support/proxies';
import { sharedServer } from '@/tests/support/shared';
import { repeats } from '@/tests/support/soak';

type Proxy = Awaited<ReturnType<typeof startProxy>>;

const NAMES = Object.keys(ATTACKS) as Attack[];
const CONNECTIONS = 50;
/** Maximum milliseconds of a partner's p99 beside an attack. */
const P99 = 100;
const MEASURED = 300;

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
    for await (const _ of req) seen.buffers += 1;
    await delay(5);
    seen.atOnce -= 1;
    res.end('seen');
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  return { seen, address: `127.0.0.1:${(upstream.address() as AddressInfo).port}` };
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
  hasProxy(program, repeats(2, 2 + NAMES.length), 'the attacks on a proxy'),
);

// First: after the attacks, the server refuses this address with a 429.
for (const program of INSTALLED)
  test(`${program} passes on a refusal as the server sends it`, async () => {
    proxy = await startProxy(RECIPES[program], `127.0.0.1:${new URL(sharedServer().origin).port}`);
    const sent = request({
      host: '127.0.0.1',
      port: proxy.port,
      servername: 'booking.example',
      rejectUnauthorized: false,
      path: CATALOG,
      headers: { host: 'booking.example' },
    }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
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
