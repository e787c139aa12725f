import { createServer } from 'node:http';
import { UsageError } from './options';

/** One attempt of a delivery. `text` is the body as it was sent. */
export type Attempt = { headers: Record<string, string | undefined>; text: string };

/** Bytes of a body. An event has far fewer. */
const MAX_BODY = 64 * 1024;

/** Receives the webhooks of the application, on loopback. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Starts a receiver at a port. It answers 200, and 500 while `refuses` returns true for the body.
 * @throws UsageError if the port cannot be used.
 */
export async function startReceiver(port: number) {
  const attempts: Attempt[] = [];
  let refuses = (_: string): boolean => false;
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('error', () => undefined);
    request.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MAX_BODY) request.destroy();
    });
    request.on('end', () => {
      const { headers } = request;
      const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
      attempts.push({ headers: flat, text });
      response.writeHead(refuses(text) ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () => reject(new UsageError(`The suite cannot listen at port ${port}.`)));
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    attempts,
    refuse: (next: (text: string) => boolean) => {
      refuses = next;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
