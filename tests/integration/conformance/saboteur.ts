import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { Agent, type Dispatcher, request } from 'undici';
import { freshAddress } from '@/tests/support/client';

/** A response that passes through the proxy. */
export type Response = { status: number; headers: Record<string, string>; body: string };

/** Returns the response to send, modified or not. Returns a promise that never resolves if nothing is to be sent. */
export type Sabotage = (
  response: Response,
  request: { method: string; url: string; body: string },
) => Response | Promise<Response>;

/** A request that passes through the proxy. */
export type Request = { headers: Record<string, string | string[] | undefined>; body: string };

/** Repairs an invalid request so that the server accepts it. */
export type Leniency = (request: Request) => Request;

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

type Target = { origin: string; dispatcher: Dispatcher; sabotage: Sabotage; lenient: Leniency };

async function pass(
  { origin, dispatcher, sabotage, lenient }: Target,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = req;
  const body = await bodyOf(req);
  // The proxy does not pass on `accept-encoding`, so that responses are not compressed and can be modified. The proxy's
  // HTTP client sets the other four headers itself.
  const dropped = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !dropped.includes(name)));
  const sent = lenient({ headers, body });
  const answer = await request(origin + url, {
    dispatcher,
    method: method as 'GET',
    headers: sent.headers,
    body: sent.body || undefined,
  });
  const flat = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  delete flat['content-length'];
  delete flat['transfer-encoding'];
  const passing = { status: answer.statusCode, headers: flat, body: await answer.body.text() };
  const broken = await sabotage(passing, { method, url, body });
  res.writeHead(broken.status, broken.headers).end(broken.body);
}

/**
 * Starts a proxy that modifies responses, like a server that violates the contract. Each proxy connects from its own
 * address, because the server limits failed authentications per address. With one address for all proxies, tests would
 * wait until the minute of the limit has passed.
 */
export async function saboteur(
  origin: string,
  sabotage: Sabotage,
  lenient: Leniency = (request) => request,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const dispatcher = new Agent({ localAddress: freshAddress() });
  const target = { origin: `http://127.0.0.1:${new URL(origin).port}`, dispatcher, sabotage, lenient };
  const { origin: own, stop } = await serve((req, res) => {
    pass(target, req, res).catch(() => res.destroy());
  });
  return {
    origin: own,
    stop: async () => {
      await stop();
      await dispatcher.destroy();
    },
  };
}

/**
 * Starts a stub without data. With `failing`, it responds with a 500 to a body, and otherwise with a 400 that contains
 * the URL, except to the first request of the suite.
 */
export async function startBroken(failing: boolean): Promise<{ origin: string; stop: () => Promise<void> }> {
  return serve(async (req, res) => {
    const { url = '' } = req;
    const body = await bodyOf(req);
    const good = !failing || url.endsWith('/catalog?limit=1');
    res.writeHead(good ? 200 : body ? 500 : 400, { 'content-type': 'application/json; charset=utf-8' });
    const error = { error: { message: body ? '' : encodeURI(url) } };
    res.end(JSON.stringify(good ? { data: {}, meta: { version: 'v1' } } : error));
  });
}

async function serve(respond: RequestListener): Promise<{ origin: string; stop: () => Promise<void> }> {
  const server = createServer(respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
