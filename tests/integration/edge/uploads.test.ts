import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { open } from './raw';

const KiB = 1024;
const MiB = KiB * KiB;
const UPLOADS = 40;

let server: Server;

afterEach(() => {
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});

/** Starts the edge, which refuses each body with a 413. Returns the port and the server's connections. */
async function start(): Promise<{ port: number; sockets: Set<Socket> }> {
  const next = () => Promise.reject(new Error('not called'));
  server = createEdgeServer({ next, trustedProxies: 0, draining: false, maximumBody: () => 0 });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return { port: await listen(server, '127.0.0.1', 0), sockets };
}

async function upload(port: number, bytes: number) {
  const raw = await open(port);
  raw.send(`POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`);
  raw.socket.write(Buffer.alloc(bytes, 'a'));
  return raw;
}

it('one turn of the event loop reads a part of the uploads that arrive at full speed', async () => {
  const { port, sockets } = await start();
  const bytesRead = () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0);
  let most = 0;
  let [running, before] = [true, 0];
  const measure = () => {
    const now = bytesRead();
    most = Math.max(most, now - before);
    before = now;
    if (running) setImmediate(measure);
  };
  measure();
  const raws = await Promise.all(Array.from({ length: 4 }, () => upload(port, 1.5 * MiB)));
  expect((await Promise.all(raws.map((raw) => raw.answer()))).map(({ status }) => status)).toEqual(Array(4).fill(413));
  while (bytesRead() < 4 * 1.5 * MiB) await new Promise((resolve) => setTimeout(resolve, 5));
  running = false;
  expect(most).toBeLessThan(600 * KiB);
});

it('at most 32 connections whose client sends too much after a refusal stay open until their grace period ends', async () => {
  // Without these timers, no grace period ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { port, sockets } = await start();
  const raws = await Promise.all(Array.from({ length: UPLOADS }, () => upload(port, 6 * MiB)));
  expect((await Promise.all(raws.map((raw) => raw.answer()))).map(({ status }) => status)).toEqual(
    Array(UPLOADS).fill(413),
  );
  const begun = performance.now();
  while (sockets.size > 32 && performance.now() - begun < 20_000) await new Promise((resolve) => setImmediate(resolve));
  expect(sockets.size).toBe(32);
  vi.advanceTimersByTime(1_000);
  while (sockets.size > 0) await new Promise((resolve) => setImmediate(resolve));
});
