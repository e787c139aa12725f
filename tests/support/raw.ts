import { once } from 'node:events';
import { connect } from 'node:net';
import { freshAddress } from './client';

type RawAnswer = { status: number; headers: Record<string, string | undefined>; text: string };

type Options = { method?: string; headers?: Record<string, string>; address?: string };

/** Exactly this target and these headers in latin1, which HTTP clients would reject or change. */
export async function sendRaw(origin: string, target: string, options: Options = {}): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, address = freshAddress() } = options;
  const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', localAddress: address });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}\r\n`,
    'latin1',
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await once(socket, 'end');
  socket.destroy();
  return readAnswer(Buffer.concat(chunks).toString('latin1'));
}

function readAnswer(answer: string): RawAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  const headers: RawAnswer['headers'] = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const body = answer.slice(end + 4);
  const text = headers['transfer-encoding'] === 'chunked' ? joinChunks(body) : body;
  return { status: Number(first.split(' ')[1]), headers, text };
}

function joinChunks(body: string): string {
  let text = '';
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    const size = Number.parseInt(body.slice(at, line), 16);
    if (line < 0 || !(size > 0)) return text;
    text += body.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
