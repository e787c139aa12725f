import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { onClientError } from './client-error';
import type { Edge } from './exchange';
import { closeGracefully } from './graceful-close';
import { handle } from './handler';
import { afterEarlier, inTurn } from './limits/turns';
import { closeStuck } from './limits/unread';

/** Maximum size of a request head in bytes (contract B2): a 40 KB key is a 401, not a protocol error. */
const MAX_HEAD = 64 * 1024;

/** Handles the upgrades of Next's development server; returns whether it took over the socket. */
export type Upgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/**
 * Returns the HTTP server. Node sends no response of its own: a missing Host header, unknown expectations,
 * upgrades, and CONNECT are handled like ordinary requests, and unparsable requests get the contract's 400 (contract
 * B2).
 */
export function createEdgeServer(edge: Edge, upgrade?: Upgrade): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEAD,
    requireHostHeader: false,
    // Two Authorization headers are joined into a value that matches no key, so that neither takes precedence.
    joinDuplicateHeaders: true,
    // Longer than the idle timeout of common proxies, so that a proxy never reuses a connection that the server closes.
    keepAliveTimeout: 65_000,
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5_000,
  });
  // By default, Node silently drops headers above a count. maxHeaderSize is the limit here.
  server.maxHeadersCount = 0;
  const begin = (req: IncomingMessage, res: ServerResponse) => inTurn(req, res, () => handle(edge, req, res));
  server.on('request', begin);
  server.on('checkExpectation', begin);
  server.on('connect', (req, socket) => handleDetached(edge, req, socket));
  server.on('clientError', onClientError);
  closeStuck(server);
  // Without a listener, Node handles an upgrade request like any other.
  if (upgrade) {
    server.on('upgrade', (req, socket, head) => {
      if (!upgrade(req, socket, head)) handleDetached(edge, req, socket);
    });
  }
  return server;
}

/** Handles a request whose socket Node has detached from its HTTP parser, and closes the connection. */
function handleDetached(edge: Edge, req: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  // Responses to earlier pipelined requests may still use the socket.
  afterEarlier(socket, () => {
    if (!socket.writable) return;
    const res = new ServerResponse(req);
    res.shouldKeepAlive = false;
    res.assignSocket(socket as Socket);
    res.once('finish', () => {
      res.detachSocket(socket as Socket);
      closeGracefully(socket);
    });
    handle(edge, req, res);
  });
}
