import { describe, expect, it, test } from 'vitest';
import { sharedServer } from '../../support/shared';
import { ask, expectContract, open } from './raw';

const { port } = new URL(sharedServer().origin);
const PORT = Number(port);

const line = (first: string, more = '') => `${first}\r\nHost: localhost\r\n${more}\r\n`;

describe('methods', () => {
  it.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE', 'POST', 'PURGE', 'M-SEARCH'])(
    'the pipeline responds to %s on a known path',
    async (method) => {
      const raw = await open(PORT);
      raw.send(line(`${method} /api/partner/v1/catalog HTTP/1.1`));
      expectContract(await raw.answer({ method }), 401, 'invalid_api_key', { method });
      // A response to HEAD has no body. If the server sent a body anyway, the client could not parse the next
      // response.
      raw.send(line('GET /api/partner/v1/catalog HTTP/1.1'));
      expectContract(await raw.answer(), 401, 'invalid_api_key');
      raw.socket.destroy();
    },
  );

  it('CONNECT gets a response, and the connection closes', async () => {
    const raw = await open(PORT);
    raw.send(`${line('GET /api/partner/v1/catalog HTTP/1.1')}${line('CONNECT localhost:443 HTTP/1.1')}`);
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await raw.closed()).toBe('');
  });

  it('an unknown method is a 400', async () => {
    expectContract(await ask(PORT, line('BREW /api/partner/v1/catalog HTTP/1.1')), 400, 'invalid_request');
  });
});

test.each(['/%ff', '/applications/%', '/%E0%A4%A', '/api/trpc/%zz'])(
  '%s outside the partner API is a 400',
  async (path) => {
    const { status, body } = await ask(PORT, line(`GET ${path} HTTP/1.1`));
    expect([status, body]).toEqual([400, 'Bad Request']);
  },
);

const OTHER_PATHS = ['/api/trpc/session.me', '/api/auth/csrf', '/api/health', '/docs', '/sign-in', '/_global-error'];

test.each(OTHER_PATHS)('TRACE of %s is a 405', async (path) => {
  const { status, headers } = await ask(PORT, line(`TRACE ${path} HTTP/1.1`));
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

test.each(['/_global-error', '/_not-found', '/404', '/500'])('the error page %s is not cacheable', async (path) => {
  const { status, headers } = await ask(PORT, line(`GET ${path} HTTP/1.1`));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(headers.get('cache-control')).toContain('no-store');
});

describe('targets', () => {
  it.each([
    '/api/partner/v1/catalog',
    '/api/partner/v1/catalog?limit=%zz&%ff',
    '/api/partner/v1/catalog?nxtPx=1&_rsc=1',
    'http://localhost/api/partner/v1/catalog',
    'HTTPS://other.example:8443/api/partner/v1/catalog',
    '*',
    '/api/partner',
    '/api/partner/v1/',
    '/api/partner/v1/catalog/',
    '//api/partner/v1/catalog',
    '/api//partner/v1/catalog',
    '/api/partner/v1/../v1/catalog',
    '/docs/../api/partner/v1/catalog',
    '/docs/%2e%2e/api/partner/v1/catalog',
    '/%61pi/partner/v1/catalog',
    '/api%2fpartner/v1/catalog',
    '\\api\\partner\\v1\\catalog'.replace('\\', '/'),
    '/API/Partner/v1/catalog',
    '/api/partner/v1/catalog.rsc',
    '/api/partner/v1/catalog;a=b',
    '/api/partner/v1/catalog#x',
    '/api/partner/v1/%zz',
    '/api/partner/v1/%00',
    '/api/partner/v1/%ff',
    '/api/partner/v1/bookings/%2e%2e',
    '/api/partner/v1/bookings/__proto__',
    '/api/partner/v1/bookings/a.rsc',
    '/api/partner/v1/bookings/a.segments',
    '/api/partner/v1/bookings/index.json',
    '/_next/data/build/api/partner/v1/catalog.json',
  ])('the pipeline responds to %s without a redirect', async (target) => {
    expectContract(await ask(PORT, line(`GET ${target} HTTP/1.1`)), 401, 'invalid_api_key');
  });

  it('the rest of the application is not affected', async () => {
    const { status, headers } = await ask(PORT, line('GET /api/auth/csrf HTTP/1.1'));
    expect([status, headers.has('x-request-id')]).toEqual([200, false]);
  });
});

describe('request heads that Node would reject itself', () => {
  it('a 40 KB key is a 401', async () => {
    const key = `Authorization: Bearer pbk_test_${'a'.repeat(40 * 1024)}\r\n`;
    expectContract(await ask(PORT, line('GET /api/partner/v1/catalog HTTP/1.1', key)), 401, 'invalid_api_key');
  });

  it('two keys are a 401', async () => {
    const keys = 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n';
    expectContract(await ask(PORT, line('GET /api/partner/v1/catalog HTTP/1.1', keys)), 401, 'invalid_api_key');
  });

  it.each([
    ['headers over 64 KiB', `GET /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(70 * 1024)}\r\n\r\n`],
    ['headers of 1 MB', `GET /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(1024 * 1024)}\r\n\r\n`],
    ['a target over 64 KiB', `GET /api/partner/v1/${'a'.repeat(70 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['no request line', 'hello\r\n\r\n'],
    ['a broken version', 'GET /api/partner/v1/catalog HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET /api/partner/v1/catalog HTTP/1.1\r\nHost a\r\n\r\n'],
    [
      'a control character in a header',
      'GET /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\x01b\r\n\r\n',
    ],
    ['a raw NUL in the path', 'GET /api/partner/v1/\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    [
      'two lengths',
      'POST /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['raw bytes beyond ASCII in the path', 'GET /api/partner/v1/caf\xc3\xa9 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the path', 'GET /api/partner/v1/cata log HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('%s: 400', async (_, bytes) => {
    const raw = await open(PORT);
    raw.send(bytes);
    const answer = await raw.answer();
    expectContract(answer, 400, 'invalid_request');
    expect(answer.body).toMatch(/is not valid HTTP\. In a path, a space is sent as %20\.|are larger than 64 KiB\./);
    expect(answer.headers.get('connection')).toBe('close');
    expect(await raw.closed()).toBe('');
  });

  it('a truncated head: 400', async () => {
    const raw = await open(PORT);
    raw.socket.end('GET /api/partner/v1/catalog HTTP/1.1\r\nHos');
    const answer = await raw.answer();
    expectContract(answer, 400, 'invalid_request');
    expect(answer.body).toContain('ended before the request was complete');
  });

  it.each([
    ['no Host', `GET /api/partner/v1/catalog HTTP/1.1\r\n\r\n`],
    ['a bad Host', `GET /api/partner/v1/catalog HTTP/1.1\r\nHost: [\r\n\r\n`],
    ['HTTP/0.9', 'GET /api/partner/v1/catalog\r\n\r\n'],
    ['HTTP/1.0', `GET /api/partner/v1/catalog HTTP/1.0\r\n\r\n`],
    [
      'a WebSocket upgrade',
      line('GET /api/partner/v1/catalog HTTP/1.1', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'),
    ],
    [
      'an HTTP/2 upgrade',
      line('GET /api/partner/v1/catalog HTTP/1.1', 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n'),
    ],
    ['an unknown expectation', line('GET /api/partner/v1/catalog HTTP/1.1', 'Expect: the-unexpected\r\n')],
    [
      'Expect: 100-continue',
      line('POST /api/partner/v1/catalog HTTP/1.1', 'Expect: 100-continue\r\nContent-Length: 3\r\n'),
    ],
    ['odd header names', line('GET /api/partner/v1/catalog HTTP/1.1', '__proto__: x\r\nconstructor: y\r\n')],
    ['3,000 headers', line('GET /api/partner/v1/catalog HTTP/1.1', 'a: b\r\n'.repeat(3000))],
  ])('%s: a regular response', async (_, bytes) => {
    expectContract(await ask(PORT, bytes), 401, 'invalid_api_key');
  });
});

describe('pipelining', () => {
  it('responds in order, to a malformed request last', async () => {
    const raw = await open(PORT);
    const good = line('GET /api/partner/v1/catalog HTTP/1.1');
    raw.send(`${good}${line('HEAD /api/partner/v1/catalog HTTP/1.1')}${good}nonsense\r\n\r\n`);
    for (const method of ['GET', 'HEAD', 'GET'])
      expectContract(await raw.answer({ method }), 401, 'invalid_api_key', { method });
    expectContract(await raw.answer(), 400, 'invalid_request');
    expect(await raw.closed()).toBe('');
  });

  it('closes the connection after 1,000 responses, and ignores further requests', async () => {
    const raw = await open(PORT);
    raw.send('GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_100));
    const connections: (string | undefined)[] = [];
    for (let count = 0; count < 1_000; count += 1) {
      const { status, headers } = await raw.answer();
      expect(status).toBe(200);
      connections.push(headers.get('connection'));
    }
    expect(connections.indexOf('close')).toBe(999);
    expect(await raw.closed()).toBe('');
  });

  it('sends only one response per request', async () => {
    const raw = await open(PORT);
    raw.send(line('POST /api/partner/v1/catalog HTTP/1.1', 'Transfer-Encoding: chunked\r\n'));
    expectContract(await raw.answer(), 401, 'invalid_api_key');
    raw.send('not a chunk\r\n');
    expect(await raw.closed()).toBe('');
  });
});

test.each(['/sign-in', '/', '/docs', '/t/ten_x/bookings'])(
  'a form for %s is a 405, and reaches no page',
  async (path) => {
    const action = 'Content-Type: multipart/form-data; boundary=x\r\nNext-Action: junk\r\nContent-Length: 0';
    const { status, headers, body } = await ask(
      PORT,
      line(`POST ${path} HTTP/1.1`, `Accept: text/html\r\n${action}\r\n`),
    );
    expect([status, headers.get('allow'), body]).toEqual([405, 'GET, HEAD', 'Method Not Allowed']);
  },
);
