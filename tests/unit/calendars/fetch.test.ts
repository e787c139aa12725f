import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchCalendar } from '@/lib/booking/calendars/fetch';
import { createResolve } from '@/lib/webhooks/addresses';
import { createSender } from '@/lib/webhooks/send';

const TEXT = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const NONE = { etag: null, lastModified: null };
const OPEN = createSender({ allowLoopback: true, resolve: createResolve() });
const CLOSED = createSender({ allowLoopback: false, resolve: createResolve() });

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;
const with200 =
  (body: string | Buffer, headers: http.OutgoingHttpHeaders = {}): Answer =>
  (_, response) =>
    response.writeHead(200, headers).end(body);
const to =
  (location: string, status = 302): Answer =>
  (_, response) =>
    response.writeHead(status, { location }).end();

const sent = { bytes: 0 };
const ANSWERS: Record<string, Answer> = {
  '/plain': with200(TEXT),
  '/gzip': with200(gzipSync(TEXT), { 'content-encoding': 'gzip' }),
  '/deflate': with200(deflateSync(TEXT), { 'content-encoding': 'deflate' }),
  '/br': with200(brotliCompressSync(TEXT), { 'content-encoding': 'br' }),
  '/tagged': ({ headers }, response) => {
    const isKnown =
      headers['if-none-match'] === '"one"' && headers['if-modified-since'] === 'Mon, 05 Jan 2026 10:00:00 GMT';
    if (isKnown) response.writeHead(304).end();
    else with200(TEXT, { etag: '"one"', 'last-modified': 'Mon, 05 Jan 2026 10:00:00 GMT' })({} as never, response);
  },
  '/long-tag': with200(TEXT, { etag: `"${'x'.repeat(300)}"` }),
  '/bomb': with200(gzipSync(Buffer.alloc(50_000_000)), { 'content-encoding': 'gzip' }),
  '/broken-gzip': with200('no gzip', { 'content-encoding': 'gzip' }),
  '/cut-gzip': with200(gzipSync(TEXT.repeat(1_000)).subarray(0, 40), { 'content-encoding': 'gzip' }),
  '/endless': (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent.bytes += 65_536;
    };
    response.writeHead(200).on('drain', more);
    more();
  },
  '/slow': (_, response) => void response.writeHead(200).write('BEGIN:'),
  '/slow-gzip': (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(TEXT).subarray(0, 12)),
  '/silent': () => {},
  '/cut': ({ socket }, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('BEGIN:', () => socket.destroy());
  },
  '/busy': (_, response) => response.writeHead(503, { 'retry-after': '120' }).end(),
  '/gone': (_, response) => response.writeHead(404).end('a secret'),
  '/moved': to('/plain'),
  '/far': to('/moved', 307),
  '/farther': to('/far', 308),
  '/farthest': to('/farther', 301),
  '/cycle': to('/cycle'),
  '/private': to('http://10.0.0.1/plain'),
  '/metadata': to('http://169.254.169.254/latest/meta-data'),
  '/mapped': to('http://[::ffff:10.0.0.1]/plain'),
  '/named': to('http://router.lan/plain'),
  '/file': to('file:///etc/passwd'),
  '/person': to('http://person:word@localhost/plain'),
  '/port': to('http://127.0.0.1:5432/'),
  '/nowhere': to('http://['),
};

const server = http.createServer((request, response) => ANSWERS[request.url ?? '']?.(request, response));
let origin = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const fetched = (path: string, more: object = {}) =>
  fetchCalendar(OPEN, { url: `${origin}${path}`, validators: NONE, ...more });

describe('a calendar', () => {
  test.each(['/plain', '/gzip', '/deflate', '/br', '/moved', '/farther'])('is read: %s', async (path) => {
    expect(await fetched(path)).toEqual({ kind: 'calendar', text: TEXT, validators: NONE });
  });

  test('that has not changed is not read again', async () => {
    const first = await fetched('/tagged');
    const validators = { etag: '"one"', lastModified: 'Mon, 05 Jan 2026 10:00:00 GMT' };
    expect(first).toEqual({ kind: 'calendar', text: TEXT, validators });
    expect(await fetched('/tagged', { validators })).toEqual({ kind: 'unchanged' });
    expect(await fetched('/long-tag')).toMatchObject({ validators: NONE });
  });

  test.each([
    ['/bomb', 'too_large'],
    ['/endless', 'too_large'],
    ['/gone', 'http_status'],
    ['/farthest', 'redirect'],
    ['/cycle', 'redirect'],
    ['/nowhere', 'redirect'],
    ['/cut', 'connection_reset'],
  ])('fails: %s', async (path, error) => {
    expect(await fetched(path)).toEqual({ kind: 'failed', error, retryAfter: null });
    expect(sent.bytes).toBeLessThan(20_000_000);
  });

  test.each(['/broken-gzip', '/cut-gzip'])('that is compressed wrongly fails: %s', async (path) => {
    expect(await fetched(path)).toMatchObject({ kind: 'failed', error: 'failed' });
  });

  test.each(['/slow', '/slow-gzip', '/silent'])('that takes too long fails: %s', async (path) => {
    expect(await fetched(path, { timeout: 300 })).toMatchObject({ kind: 'failed', error: 'timeout' });
  });

  test('of a busy server fails with the time to wait', async () => {
    expect(await fetched('/busy')).toEqual({ kind: 'failed', error: 'http_status', retryAfter: '120' });
  });

  test.each(['/private', '/metadata', '/mapped', '/named', '/file', '/person', '/port'])(
    'that moves to a forbidden address is not read: %s',
    async (path) => {
      expect(await fetched(path)).toMatchObject({ kind: 'failed', error: 'refused_address' });
    },
  );

  test('is read only with https from the public internet', async () => {
    for (const url of [
      `${origin}/plain`,
      'https://127.0.0.1/',
      'https://localhost/',
      'https://10.0.0.1/',
      'http://192.0.2.1/',
    ])
      expect(await fetchCalendar(CLOSED, { url, validators: NONE })).toMatchObject({ error: 'refused_address' });
  });
});
