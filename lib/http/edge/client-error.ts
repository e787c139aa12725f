import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@/lib/contract/errors/app-error';
import { peerAddress } from './address';
import { lastExchange } from './exchange';
import { isLingering, lingeringEnd } from './linger';
import { rawRefusal, refuse } from './refusal';

const broken = new WeakSet<Duplex>();

/**
 * Answers what Node could not parse or would not wait for: malformed requests, headers over the limit, bad chunks,
 * timeouts (contract B2: a 400 with our headers and envelope). Whatever was asked before on the connection is
 * answered first, and a request gets one answer only.
 */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The parser fails again for every further packet; the connection is being closed already.
  if (broken.has(socket) || isLingering(socket)) return;
  broken.add(socket);
  const last = lastExchange(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (!last) {
    void refuseRaw(socket);
  } else if (last.req.complete) {
    // The broken bytes belong to a request after it.
    after(last.res, () => void refuseRaw(socket));
  } else if (last.res.headersSent || last.taken) {
    after(last.res, () => lingeringEnd(socket));
  } else {
    // The body itself is broken. The answer goes through Node, behind those of pipelined requests before it.
    (socket as Socket).destroySoon = () => lingeringEnd(socket);
    void refuse(last, new AppError('invalid_request'));
  }
}

function after(res: ServerResponse, then: () => void): void {
  if (res.closed || res.writableFinished) then();
  else res.once('close', then);
}

async function refuseRaw(socket: Duplex): Promise<void> {
  const { remoteAddress } = socket as Socket;
  const text = await rawRefusal(peerAddress(remoteAddress), new AppError('invalid_request'));
  if (socket.writable) lingeringEnd(socket, text);
  else socket.destroy();
}
