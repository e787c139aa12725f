import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'undici';

/** An answer on its way back. */
export type Passing = { status: number; headers: Record<string, string>; body: string };

/** Breaks an answer, or leaves it; `asked` is what was sent. One that never resolves is an answer that never comes. */
export type Sabotage = (
  answer: Passing,
  asked: { method: string; url: string; body: string },
) => Passing | Promise<Passing>;

/** A request on its way there. */
export type Asked = { headers: Record<string, string | string[] | undefined>; body: string };

/** Mends a request that should have been refused: the server behind then accepts what it should not. */
export type Leniency = (asked: Asked) => Asked;

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function pass(
  origin: string,
  sabotage: Sabotage,
  lenient: Leniency,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = req;
  const body = await bodyOf(req);
  // Answers must come uncompressed to be broken.
  const dropped = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !dropped.includes(name)));
  const sent = lenient({ headers, body });
  const answer = await request(origin + url, {
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

/** Starts a server that passes everything on to another and breaks what comes back: somebody's wrong implementation. */
export async function saboteur(
  origin: string,
  sabotage: Sabotage,
  lenient: Leniency = (asked) => asked,
): Promise<{ origin: string; stop: () => Promise<void> }> {
  const server = createServer((req, res) => {
    pass(origin, sabotage, lenient, req, res).catch(() => res.destroy());
  });
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
