import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestServer } from './server';

/** Milliseconds. */
const LOOK_EVERY = 100;
/** Milliseconds that a request waits while no server is healthy. */
const HOLD_WITHIN = 30_000;

export type Upstream = {
  up: boolean;
  /** Changes of the `status` in the body, or of the code of a connection error. */
  health: string[];
  /** Without health checks. */
  sent: number;
};

export type Balancer = {
  origin: string;
  upstreams: Upstream[];
  /** Of each request with a 502 or a closed connection. */
  failures: string[];
  close: () => Promise<void>;
};

/**
 * Starts a round-robin reverse proxy over the healthy servers. It sets X-Forwarded-For, reuses connections, and never
 * retries. While no server is healthy, requests wait.
 */
export async function startBalancer(servers: Pick<TestServer, 'port'>[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const upstreams = servers.map(({ port }) => ({ up: false, health: [] as string[], sent: 0, port }));
  let turn = 0;
  const next = () => {
    const up = upstreams.filter((one) => one.up);
    turn += 1;
    return up[turn % up.length];
  };
  const server = createServer(async (req, res) => {
    const deadline = performance.now() + HOLD_WITHIN;
    let upstream = next();
    while (!upstream && performance.now() < deadline) {
      await delay(LOOK_EVERY);
      upstream = next();
    }
    if (!upstream) return fail(res, failures, 'no server is up');
    upstream.sent += 1;
    pass(agent, upstream.port, req, res, (code) => fail(res, failures, `${req.method} ${code}`));
  });
  const looks = upstreams.map((upstream) => watch(upstream));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await Promise.all(looks.map((look) => look.first));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstreams,
    failures,
    close: async () => {
      for (const look of looks) look.stop();
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(res: ServerResponse, failures: string[], what: string): void {
  failures.push(what);
  if (res.headersSent) res.destroy();
  else res.writeHead(502).end();
}

function pass(
  agent: Agent,
  port: number,
  req: IncomingMessage,
  res: ServerResponse,
  failed: (code: string) => void,
): void {
  const { method, url, headers, socket } = req;
  const { connection: _, ...end } = headers;
  const forwarded = { ...end, 'x-forwarded-for': socket.remoteAddress ?? '' };
  const passed = request({ agent, port, host: '127.0.0.1', method, path: url, headers: forwarded }, (answer) => {
    const { connection: hop, 'keep-alive': alive, ...rest } = answer.headers;
    res.writeHead(answer.statusCode ?? 502, { ...rest, 'x-served-by': String(port) });
    answer.on('error', () => failed('response cut off'));
    answer.pipe(res);
  });
  passed.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message));
  req.pipe(passed);
}

/** @throws Error if the HTTP status does not match the body */
async function statusOf(answer: IncomingMessage): Promise<string> {
  const { status } = (await json(answer)) as { status: string };
  if (answer.statusCode !== (status === 'ok' ? 200 : 503)) throw new Error(`${answer.statusCode} ${status}`);
  return status;
}

/** `first` resolves when the health check succeeds for the first time. */
function watch(upstream: Upstream & { port: number }): { first: Promise<void>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const first = new Promise<void>((resolve) => {
    const look = () => {
      const seen = (health: string) => {
        if (stopped) return;
        // Results before the first `ok` are not recorded.
        if (upstream.health.at(-1) !== health && (health === 'ok' || upstream.health.length > 0))
          upstream.health.push(health);
        upstream.up = health === 'ok';
        if (upstream.up) resolve();
        timer = setTimeout(look, LOOK_EVERY);
      };
      get({ port: upstream.port, host: '127.0.0.1', path: '/api/health', agent: false }, (answer) => {
        statusOf(answer).then(seen, (error: NodeJS.ErrnoException) => seen(error.code ?? error.message));
      }).on('error', (error: NodeJS.ErrnoException) => seen(error.code ?? error.message));
    };
    look();
  });
  return {
    first,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
