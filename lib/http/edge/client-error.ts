import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@/lib/contract/errors/app-error';
import { peerAddress } from './address';
import { lastExchange } from './exchange';
import { rawRefusal, refuse } from './refusal';

/** Milliseconds. */
const GRACE = 1_000;

const failed = new WeakSet<Duplex>();

const NOT_HTTP = 'The request is not valid HTTP. In a path, a space is sent as %20.';
const MESSAGES: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT:
    'The request did not arrive completely in time. Its body may be shorter than its Content-Length.',
  HPE_INVALID_EOF_STATE: 'The connection ended before the request was complete.',
  CONNECT: 'CONNECT and upgrades of the connection are not supported.',
  HPE_HEADER_OVERFLOW: 'The headers of the request are larger than 64 KiB.',
};

/** Returns the contract's 400 for what Node could not read. Node's own message could contain parts of the request. */
function unreadable(code: string | undefined): AppError {
  return new AppError('invalid_request', { message: MESSAGES[code ?? ''] ?? NOT_HTTP });
}

/** Responds with the contract's 400 to what Node could not read (B2), once per request and after earlier responses. */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // After the first error, Node's parser reports another error for every further packet.
  if (failed.has(socket)) return;
  failed.add(socket);
  const last = lastExchange(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // The latest request that Node could parse is complete, so the malformed bytes belong to a request after it.
  else if (!last || last.req.complete) refuseLast(socket, error.code);
  else if (last.res.headersSent || last.replaced) afterEarlier(socket, () => close(socket));
  else void refuse(last, unreadable(error.code));
}

/** Sends the contract's 400 after the responses to earlier requests on the connection, and closes the connection. */
export function refuseLast(socket: Duplex, code?: string): void {
  afterEarlier(socket, async () => {
    const { remoteAddress } = socket as Socket;
    close(socket, await rawRefusal(peerAddress(remoteAddress), unreadable(code)));
  });
}

function afterEarlier(socket: Duplex, callback: () => void): void {
  const last = lastExchange(socket);
  if (!last || last.res.closed || last.res.writableFinished) callback();
  else last.res.once('close', callback);
}

function close(socket: Duplex, text?: string): void {
  if (socket.writable) socket.end(text);
  setTimeout(() => socket.destroy(), GRACE).unref();
}
