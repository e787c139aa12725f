import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

export type Received = { path: string; headers: Record<string, string>; body: string; at: number };

export type Answering = (received: Received, res: ServerResponse, req: IncomingMessage) => void;

export type Receiver = {
  url: string;
  received: Received[];
  answer: (answering: Answering) => void;
  close: () => Promise<void>;
};

export const status =
  (code: number, headers: Record<string, string> = {}, body = 'received'): Answering =>
  (_, res) => {
    res.writeHead(code, headers).end(body);
  };

export const hang: Answering = () => {};

/** Unsolicited. */
export const continued: Answering = (_, res) => {
  res.writeContinue();
  res.writeHead(204).end();
};

export const reset: Answering = (_, __, req) => {
  req.socket.resetAndDestroy();
};

export const endless: Answering = (_, res, req) => {
  res.writeHead(200);
  const block = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!req.socket.destroyed && res.write(block));
  };
  res.on('drain', more);
  res.on('error', () => {});
  more();
};

/** On loopback, with https if a certificate is given. */
export async function startReceiver(
  answering: Answering = status(200),
  tls?: { cert: Buffer; key: Buffer },
): Promise<Receiver> {
  let current = answering;
  const received: Received[] = [];
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    req.on('error', () => {});
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const headers = Object.fromEntries(Object.entries(req.headers).map(([name, value]) => [name, String(value)]));
      const one = { path: req.url ?? '', headers, body: Buffer.concat(chunks).toString(), at: performance.now() };
      received.push(one);
      current(one, res, req);
    });
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  const { port, close } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (next) => {
      current = next;
    },
    close,
  };
}

/** If `bytes` is null, the server closes each connection. */
export async function startRaw(bytes: string | null): Promise<{ port: number; close: () => Promise<void> }> {
  return listening(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => (bytes === null ? socket.destroy() : socket.end(bytes)));
    }),
  );
}

async function listening(server: Server): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, close };
}
