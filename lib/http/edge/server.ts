import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onClientError } from './client-error';
import type { Edge } from './exchange';
import { handle } from './handler';
import { lingeringEnd } from './linger';

/** Bytes of a request's head (contract B2): a 40 KB key is a 401, not a protocol error. */
const MAX_HEAD = 64 * 1024;

/** Takes the upgrades that Next's development server wants; tells whether it did. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Returns the HTTP server around Next. Nothing is answered by Node alone: missing Host, unknown expectations,
 * upgrades and CONNECT become ordinary requests, everything unparsable a 400 of ours (contract B2).
 */
export function createEdgeServer(edge: Edge, upgrade?: Upgrade): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEAD,
    requireHostHeader: false,
    // Two Authorization headers become one that no key matches, instead of one of them winning.
    joinDuplicateHeaders: true,
    // Longer than the idle time of common proxies, so that they, not we, close a connection they may still use.
    keepAliveTimeout: 65_000,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
  });
  // Node counts header lines too and drops the rest silently; the size above is the bound.
  server.maxHeadersCount = 0;
  server.on('request', (req, res) => handle(edge, req, res));
  server.on('checkExpectation', (req, res) => handle(edge, req, res));
  server.on('connect', (req, socket) => handleDetached(edge, req, socket));
  server.on('clientError', onClientError);
  // Without a listener Node treats an upgrade as the ordinary request that it also is.
  if (upgrade) {
    server.on('upgrade', (req, socket, head) => {
      if (!upgrade(req, socket, head)) handleDetached(edge, req, socket);
    });
  }
  return server;
}

/** Answers a request whose connection Node has taken out of HTTP, and ends the connection. */
function handleDetached(edge: Edge, req: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(socket as Socket);
  res.once('finish', () => {
    res.detachSocket(socket as Socket);
    lingeringEnd(socket);
  });
  handle(edge, req, res);
}
