import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { freshAddress } from '../../support/client';

/** A response as it was received on the connection. */
export type Answer = { status: number; headers: Map<string, string>; body: string };

/** A connection that sends raw bytes. */
export type Raw = {
  socket: Socket;
  send: (bytes: string | Buffer) => void;
  /** Resolves with the next response. Rejects if the connection ends before the response is complete. */
  answer: (to?: { method: string }) => Promise<Answer>;
  /**
   * Resolves when the server closes the connection. The result is the received data that `answer` has not consumed.
   */
  closed: () => Promise<string>;
};

/**
 * Opens a connection to the server under test. By default, the client's address is unique, so that tests do not
 * share a failure quota.
 */
export async function open(port: number, address = freshAddress()): Promise<Raw> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: address });
  let text = '';
  let ended = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  const end = () => {
    ended = true;
    wake();
  };
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('end', end).on('close', end).on('error', end);
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
  const until = <T>(look: () => T | null): Promise<T> =>
    new Promise((resolve, reject) => {
      const again = () => {
        const found = look();
        if (found === null && !ended) return;
        waiting.delete(again);
        if (found === null) reject(new Error(`the connection ended after: ${text.slice(0, 300)}`));
        else resolve(found);
      };
      waiting.add(again);
      again();
    });
  return {
    socket,
    send: (bytes) => void (socket.writable && socket.write(bytes, 'latin1')),
    answer: ({ method } = { method: 'GET' }) =>
      until(() => {
        const found = readAnswer(text, method === 'HEAD', ended);
        if (found) text = text.slice(found.length);
        return found?.answer ?? null;
      }),
    closed: () => until(() => (ended ? text : null)),
  };
}

/** Sends one request on a new connection and returns the response. */
export async function ask(port: number, bytes: string | Buffer, address?: string): Promise<Answer> {
  const raw = await open(port, address);
  raw.send(bytes);
  const method = /^\S*/.exec(bytes.toString('latin1').slice(0, 20))?.[0] ?? 'GET';
  try {
    return await raw.answer({ method });
  } finally {
    raw.socket.destroy();
  }
}

function readAnswer(text: string, head: boolean, ended: boolean): { answer: Answer; length: number } | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  const status = Number(first.split(' ')[1]);
  if (status === 100) {
    const next = readAnswer(text.slice(end + 4), head, ended);
    return next && { answer: next.answer, length: next.length + end + 4 };
  }
  const body = readBody(text, end + 4, { head, ended, headers });
  return body && { answer: { status, headers, body: body.text }, length: body.end };
}

type Framing = { head: boolean; ended: boolean; headers: Map<string, string> };

function readBody(text: string, start: number, { head, ended, headers }: Framing) {
  if (head) return { text: '', end: start };
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text, start);
  const length = headers.get('content-length');
  // In HTTP/1.0, a body without a Content-Length ends when the connection ends.
  if (length === undefined) return ended ? { text: text.slice(start), end: text.length } : null;
  const end = start + Number(length);
  return text.length < end ? null : { text: text.slice(start, end), end };
}

function readChunks(text: string, start: number) {
  let body = '';
  for (let at = start; ; ) {
    const line = text.indexOf('\r\n', at);
    if (line < 0) return null;
    const size = Number.parseInt(text.slice(at, line), 16);
    if (text.length < line + 2 + size + 2) return null;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
    if (size === 0) return { text: body, end: at };
  }
}

/** Asserts the headers that every response must have (contract A) and the envelope of a refusal (contract B3). */
export function expectContract(
  answer: Answer,
  status: number,
  code: string,
  to: { method: string } = { method: 'GET' },
): void {
  const { headers } = answer;
  expect(answer.status).toBe(status);
  expectContractHeaders(answer);
  if (to.method === 'HEAD') return;
  const body: unknown = JSON.parse(answer.body);
  expect(body).toMatchObject({
    error: { code, fields: [] },
    meta: { request_id: headers.get('x-request-id'), version: 'v1' },
  });
}

/** Asserts the headers that every response must have (contract A). */
function expectContractHeaders({ status, headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^req_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  expect(headers.has('access-control-allow-origin')).toBe(false);
  expect(headers.has('location')).toBe(false);
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}
