import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { cookieName } from '@/lib/access/owners/cookies';
import { rememberSession } from '@/lib/access/owners/known-sessions';
import { createBooking, listCatalog } from '@/lib/contract/operations';
import type { Edge, Routes } from '@/lib/http/edge/exchange';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { partnerRoute, partnerWriteRoute, unknownRoute } from '@/lib/http/partner-api/partner-route';
import { newId } from '@/lib/platform/ids';
import { OPERATOR_ROUTES } from '@/scripts/server/routes';
import { createClient, freshAddress } from '../../support/client';
import { edgeWith } from '../../support/edge';
import { makeApplication, makeBusiness, makeTenant } from '../../support/factories';
import { createOf, dayAhead } from '../../support/storm';
import { type Answer, ask } from './raw';

const CATALOG = '/api/partner/v1/catalog';
/**
 * Number of reads that one application may have in flight while no other application is busy. The application then gets
 * one fifth of the server's 900 units, and each read takes one unit.
 */
const SHARE = 180;

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
      data: '{"services":[],"locations":[],"next_cursor":null}',
      headers: { 'Content-Language': 'en' },
    };
  });
  const routes = { listCatalog: respond, unknown: unknownRoute().respond } as Routes;
  return { routes, finish, working: () => working };
}

describe('work in flight', () => {
  it('is bounded for each application; others are not refused, and everything is accepted afterwards', async () => {
    const { routes, finish, working } = slowRoutes();
    const origin = await serve({ routes });
    const { id } = await makeTenant();
    const [busy, quiet] = await Promise.all([makeApplication(id), makeApplication(id)]);
    const clients = Array.from({ length: 5 }, () => createClient({ origin, key: busy.key }));
    const replies = clients.flatMap((client) => Array.from({ length: 50 }, () => client(CATALOG)));
    const first = await Promise.race(replies);
    expect(first).toMatchObject({ status: 503, error: { code: 'service_unavailable' } });
    expect(first.headers['retry-after']).toBe('1');
    await expect.poll(working, PATIENT).toBe(SHARE);
    const other = createClient({ origin, key: quiet.key })(CATALOG);
    await expect.poll(working, PATIENT).toBe(SHARE + 1);
    finish();
    const statuses = (await Promise.all([...replies, other])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(SHARE + 1);
    expect(statuses.filter((status) => status === 503)).toHaveLength(250 - SHARE);
    expect((await other).status).toBe(200);
    expect((await clients[0]?.(CATALOG))?.status).toBe(200);
  });
});

it('the writes of an application are refused while all of them wait for the database, and reads are not', async () => {
  const { key } = await makeBusiness({ quota: 100_000 });
  const write = partnerWriteRoute(createBooking, async ({ budget }) => {
    budget.queue?.waited(1_000);
    await delay(20);
    return { data: '{}' };
  });
  const read = partnerRoute(listCatalog, async () => ({ data: '{}' }));
  const routes = { createBooking: write.respond, listCatalog: read.respond } as Partial<Routes> as Routes;
  const port = Number(new URL(await serve({ routes })).port);
  const { body } = createOf(
    { serviceId: newId('svc'), locationId: newId('loc') },
    { date: dayAhead(1), start_time: '09:00' },
  );
  const json = JSON.stringify(body);
  const head = `Host: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  const ofWrite = `Content-Type: application/json\r\nIdempotency-Key: ${randomUUID()}\r\nContent-Length: ${json.length}`;
  const send = () => ask(port, `POST /api/partner/v1/bookings HTTP/1.1\r\n${head}${ofWrite}\r\n\r\n${json}`);
  let refused: Answer | null = null;
  const client = async () => {
    while (!refused) {
      const answer = await send();
      if (answer.status === 503) refused = answer;
      else expect(answer.status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  expect((refused as Answer | null)?.headers.get('retry-after')).toBe('1');
  expect((await ask(port, `GET ${CATALOG} HTTP/1.1\r\n${head}\r\n`)).status).toBe(200);
});

describe('pages', () => {
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

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
