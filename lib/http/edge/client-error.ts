import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError } from '@/lib/contract/errors/app-error';
import { peerAddress } from './address';
import { lastExchange } from './exchange';
import { closeGracefully, isClosing } from './graceful-close';
import { afterWaiting, hasWaiting } from './limits/turns';
import { rawRefusal, refuse } from './refusal';

const failed = new WeakSet<Duplex>();

/**
 * Responds to malformed requests, oversized headers, malformed chunked bodies, and timeouts with the contract's 400
 * (contract B2). Sends this response after the responses to earlier requests on the connection. Each request gets
 * exactly one response.
 */
export function onClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // After the first error, Node's parser reports another error for every further packet.
  if (failed.has(socket) || isClosing(socket)) return;
  if (hasWaiting(socket) && error.code !== 'ECONNRESET' && socket.writable) {
    afterWaiting(socket, () => onClientError(error, socket));
    return;
  }
  failed.add(socket);
  const last = lastExchange(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
  } else if (!last) {
    void refuseRaw(socket);
  } else if (last.req.complete) {
    // The latest request that Node could parse is complete, so the malformed bytes belong to a request after it.
    afterResponse(last.res, () => void refuseRaw(socket));
  } else if (last.res.headersSent || last.replaced) {
    afterResponse(last.res, () => closeGracefully(socket));
  } else {
    // The body of the last request is malformed, so the 400 is the response to that request. Node sends it after
    // earlier responses, and then calls `destroySoon` to close the connection.
    (socket as Socket).destroySoon = () => closeGracefully(socket);
    void refuse(last, new AppError('invalid_request'));
  }
}

function afterResponse(res: ServerResponse, callback: () => void): void {
  if (res.closed || res.writableFinished) callback();
  else res.once('close', callback);
}

async function refuseRaw(socket: Duplex): Promise<void> {
  const { remoteAddress } = socket as Socket;
  const text = await rawRefusal(peerAddress(remoteAddress), new AppError('invalid_request'));
  if (socket.writable) closeGracefully(socket, text);
  else socket.destroy();
}
