import type { Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { rememberSession } from '@/lib/access/owners/known-sessions';
import { listCatalog } from '@/lib/contract/operations';
import type { Edge, Routes } from '@/lib/http/edge/exchange';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { partnerRoute, unknownRoute } from '@/lib/http/partner-api/partner-route';
import { startPolling, stopPolling, untilFresh } from '@/lib/platform/cache';
import { newId } from '@/lib/platform/ids';
import { OPERATOR_ROUTES } from '@/scripts/server/routes';
import { createClient, freshAddress } from '../../support/client';
import { edgeWith } from '../../support/edge';
import { makeApplication, makeTenant } from '../../support/factories';
import { ask } from './raw';

const CATALOG = '/api/partner/v1/catalog';
/**
 * Number of reads that one application may have in flight while no other application is busy. The application then gets
 * one fifth of the server's 1,600 units, and each read takes one unit.
 */
const SHARE = 320;

/** Of which 16 are refused. */
const SENT = SHARE + 16;

const PATIENT = { timeout: 20_000 };

let server: Server | undefined;

async function serve(edge: Partial<Edge>): Promise<string> {
  server = createEdgeServer(edgeWith(edge));
  return `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
}

afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/**
 * Returns routes that do not respond until `finish` is called. `working` returns how many requests the routes have
 * begun to handle.
 */
const TOKEN = 'A'.repeat(32);

function slowRoutes() {
  let working = 0;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { respond } = partnerRoute(listCatalog, async () => {
    working++;
    await finished;
    return {
      data: `{"services":[],"locations":[],"next_cursor":null,"token":"${TOKEN}"}`,
      headers: { 'Content-Language': 'en', ETag: `W/"${TOKEN}"` },
    };
  });
  const routes = { listCatalog: respond, unknown: unknownRoute().respond } as Routes;
  return { routes, finish, working: () => working };
}

describe('work in flight', () => {
  it('is bounded for each application; others are not refused, and everything is accepted afterwards', async () => {
    // As in a server, keys and policies are cached.
    startPolling();
    await untilFresh(5_000);
    const { routes, finish, working } = slowRoutes();
    const origin = await serve({ routes });
    const { id } = await makeTenant();
    const [busy, quiet] = await Promise.all([makeApplication(id), makeApplication(id)]);
    const clients = Array.from({ length: 8 }, () => createClient({ origin, key: busy.key }));
    // The key is in the cache afterwards, so that no request is refused because its authentication takes long.
    expect((await clients[0]?.(`${CATALOG}?unknown=1`))?.status).toBe(400);
    const replies = clients.flatMap((client) => Array.from({ length: SENT / clients.length }, () => client(CATALOG)));
    const first = await Promise.race(replies);
    expect(first).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
    expect(first.headers['retry-after']).toBe('1');
    await expect.poll(working, PATIENT).toBe(SHARE);
    const other = createClient({ origin, key: quiet.key })(CATALOG);
    await expect.poll(working, PATIENT).toBe(SHARE + 1);
    finish();
    const statuses = (await Promise.all([...replies, other])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SHARE + 1);
    expect(statuses.filter((status) => status === 503)).toHaveLength(SENT - SHARE);
    expect((await other).status).toBe(200);
    expect((await clients[0]?.(CATALOG))?.status).toBe(200);
    await stopPolling();
  });
});

describe('pages', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n`;

  it('do not wait for requests of Inngest, which wait for webhook receivers', async () => {
    let waiting = 0;
    const next: Edge['next'] = async (req, res) => {
      if (req.url === '/api/inngest') waiting++;
      else res.end('page');
    };
    const port = Number(new URL(await serve({ next })).port);
    const steps = Array.from({ length: 60 }, () => ask(port, get('/api/inngest'), freshAddress()).catch(() => null));
    await expect.poll(() => waiting, { timeout: 15_000 }).toBe(60);
    expect((await ask(port, get('/sign-in'), freshAddress())).status).toBe(200);
    server?.closeAllConnections();
    await Promise.all(steps);
  });

  it('take turns by client; a flood gets a 503, and health checks need neither a turn nor Next.js', async () => {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const next: Edge['next'] = async (req, res) => {
      started.push(req.url ?? '');
      await new Promise<void>((resolve) => ends.push(resolve));
      res.end('page');
    };
    const port = Number(new URL(await serve({ next, operatorRoutes: OPERATOR_ROUTES })).port);
    const address = freshAddress();
    const flood = Array.from({ length: 130 }, () => ask(port, get('/sign-in'), address));
    const refused = await Promise.race(flood);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const owner = ask(port, get('/bookings'), freshAddress());
    expect((await ask(port, get('/api/health/live'), address)).status).toBe(200);
    expect(await ask(port, get('/api/health'), address)).toMatchObject({ body: expect.stringMatching(/^{"status":/) });
    expect((await ask(port, get('/api/metrics'), address)).status).toBe(404);
    expect(started.join()).not.toMatch(/health|metrics/);
    // The edge alternates between waiting clients, so the owner's page does not wait until the whole flood is served.
    while (!started.includes('/bookings')) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(started.length).toBeLessThan(40);
    const finishing = setInterval(() => ends.shift()?.(), 1);
    const statuses = (await Promise.all([...flood, owner])).map(({ status }) => status);
    clearInterval(finishing);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(100);
    expect((await owner).status).toBe(200);
  });

  /**
   * Starts the edge with a function that takes the place of Next.js and holds back its responses. Returns the port, the
   * paths of the requests that have reached this function, and `endOne`, which sends the oldest response.
   */
  async function slowPages(edge: Partial<Edge> = {}) {
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const next: Edge['next'] = async (req, res) => {
      started.push(req.url ?? '');
      await new Promise<void>((resolve) => ends.push(resolve));
      res.end('page');
    };
    const port = Number(new URL(await serve({ next, ...edge })).port);
    return { port, started, endOne: () => ends.shift()?.() };
  }

  it.each([
    ['a new cookie', (i: number) => `Cookie: ${cookieName('session')}=${i}`],
    ['another address of its IPv6 network', (i: number) => `X-Forwarded-For: 2001:db8:1:2::${i.toString(16)}`],
  ])('a flood with %s in each request is one client', async (_, header) => {
    const { port, endOne } = await slowPages({ trustedProxies: 1 });
    const address = freshAddress();
    const request = (i: number) => `GET /sign-in HTTP/1.1\r\nHost: localhost\r\n${header(i)}\r\n\r\n`;
    let refused = 0;
    const flood = Array.from({ length: 130 }, async (_, i) => {
      const { status } = await ask(port, request(i), address);
      if (status === 503) refused++;
    });
    await expect.poll(() => refused, PATIENT).toBeGreaterThan(0);
    const finishing = setInterval(endOne, 1);
    await Promise.all(flood);
    clearInterval(finishing);
  });

  it('a signed-in session has turns of its own', async () => {
    const { port, started, endOne } = await slowPages();
    const address = freshAddress();
    const flood = Array.from({ length: 130 }, () => ask(port, get('/sign-in'), address));
    expect((await Promise.race(flood)).status).toBe(503);
    const cookie = `verified-${address}`;
    rememberSession(cookie, newId('ses'));
    const request = get('/bookings').replace('\r\n\r\n', `\r\nCookie: ${cookieName('session')}=${cookie}\r\n\r\n`);
    const owner = ask(port, request, address);
    while (!started.includes('/bookings')) {
      endOne();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(started.length).toBeLessThan(40);
    const finishing = setInterval(endOne, 1);
    expect((await owner).status).toBe(200);
    await Promise.all(flood);
    clearInterval(finishing);
  });
});
