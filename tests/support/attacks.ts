import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'booking.example', rejectUnauthorized: false });
  socket.on('error', () => socket.destroy());
  await once(socket, 'secureConnect');
  socket.resume();
  return socket;
}

/** Lacks the empty line after it. */
export const HEAD = 'POST /api/partner/v1/bookings HTTP/1.1\r\nHost: booking.example\r\n';
const GET = 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: booking.example\r\n\r\n';

/** What an attacker without a key sends on each connection. */
export const ATTACKS = {
  'ten thousand chunks of one byte': `${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`,
  'bodies that never complete': `${HEAD}Content-Length: 100000\r\n\r\n${'a'.repeat(60_000)}`,
  'unfinished heads': `${HEAD}X-Long: ${'a'.repeat(30_000)}`,
  'half request lines': 'GET /api/part',
  'five hundred pipelined requests': GET.repeat(500),
} as const;

export type Attack = keyof typeof ATTACKS;

/** Sends the first part of a request. The caller must close the connection. */
export async function begin(port: number, part: string): Promise<TLSSocket> {
  const socket = await open(port);
  socket.write(part);
  return socket;
}

/** Sends an attack on `count` connections at once. The caller must close them. */
export async function attack(port: number, name: Attack, count: number): Promise<TLSSocket[]> {
  return await Promise.all(Array.from({ length: count }, () => begin(port, ATTACKS[name])));
}
