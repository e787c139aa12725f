import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PartnerError, transport } from '@/lib/contract/client';
import { sampleFile } from '@/lib/contract/docs/samples';
import { ROOT } from './blocks';
import { copyFiles, type Language, runFile, testedLanguages } from './languages';

/** A call of a client. `seconds` limits it. */
type Case = { name: string; api: string; method: 'GET' | 'POST'; seconds: number };
type Outcome = { name: string; status: number; code: string; message: string };
type Sent = { method: string; path: string; key: string | undefined; at: number };

const HTML = '<html><h1>Bad gateway</h1></html>';
const META = { request_id: 'req_1', version: 'v1' };
const GOOD = JSON.stringify({ data: { word: 'good' }, meta: META });
const BROKEN = { code: 'service_unavailable', message: 'A message.', reason: null, fields: [], doc_url: '' };

/** First responses after which a client must repeat the request. The second response is a success. */
const UNCERTAIN: Record<string, [status: number, body: string]> = {
  '500-html': [500, HTML],
  '502-html': [502, HTML],
  '504-empty': [504, ''],
  '500-error': [500, JSON.stringify({ error: BROKEN, meta: META })],
  '599-json': [599, '{"error":"upstream"}'],
  '200-html': [200, HTML],
  '200-empty': [200, ''],
  '200-list': [200, '[]'],
  '200-null': [200, 'null'],
  '200-other': [200, '{"ok":true}'],
  '200-text': [200, '{"data":"x"}'],
  '200-data': [200, '{"data":{"word":"bad"}}'],
  '200-list-of-data': [200, JSON.stringify({ data: [], meta: META })],
  '200-foreign-meta': [200, '{"data":{"word":"bad"},"meta":{"request_id":7}}'],
  '403-html': [403, HTML],
  '404-foreign': [404, '{"error":{"code":"ResourceNotFound","message":"The resource was not found."}}'],
  '404-without-meta': [404, JSON.stringify({ error: { ...BROKEN, code: 'not_found' } })],
  '404-code': [404, JSON.stringify({ error: { ...BROKEN, code: 'ResourceNotFound' }, meta: META })],
  '400-fields': [400, JSON.stringify({ error: { ...BROKEN, fields: 'date' }, meta: META })],
  '400-field': [400, JSON.stringify({ error: { ...BROKEN, fields: [{ path: 7 }] }, meta: META })],
  '400-no-fields': [400, JSON.stringify({ error: { code: 'invalid_request', message: 'x' }, meta: META })],
  '400-reason': [400, JSON.stringify({ error: { ...BROKEN, reason: 7 }, meta: META })],
  '404-other': [404, '{"error":{"status":404}}'],
  '409-text': [409, '"conflict"'],
  '200-nested': [200, '['.repeat(100_000)],
  '502-nested': [502, '{"error":'.repeat(100_000)],
};
const REDIRECTS = [300, 301, 302, 303, 304, 307, 308];
const RETRY_AFTER = 4;
/** Waits that no client makes. As nanoseconds in 64 bits, the second overflows to a fraction of a second. */
const LONG_WAITS = ['9999999', '18446744074', '99999999999999999999'];

const servers: Server[] = [];
const origins = { api: '', other: '', tls: '', closed: '' };
const sent: Sent[] = [];
const leaked: { method: string; authorization: string }[] = [];

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends a body byte by byte, without an end. */
function drip(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  request.socket.once('close', () => clearInterval(timer));
}

/** Responds as the case in the path says. */
const answer: RequestListener = (request: IncomingMessage, response: ServerResponse) => {
  const { method = '', url = '', headers } = request;
  const again = sent.some(({ path }) => path === url);
  sent.push({ method, path: url, key: headers['idempotency-key'] as string | undefined, at: Date.now() });
  const [, , kind = ''] = url.split('/');
  const [, redirect] = /^redirect-(\d+)/.exec(kind) ?? [];
  const uncertain = UNCERTAIN[kind];
  request.resume();
  if (redirect) response.writeHead(Number(redirect), { location: `${origins.other}/elsewhere` }).end();
  else if (kind === 'bad-location') response.writeHead(302, { location: 'http://[' }).end();
  else if (kind === 'hang') return;
  else if (kind === 'lost' && !again) request.socket.destroy();
  else if (kind === 'limited' && !again)
    response
      .writeHead(429, { 'retry-after': `${RETRY_AFTER}` })
      .end(JSON.stringify({ error: { ...BROKEN, code: 'rate_limited' }, meta: META }));
  else if (kind.startsWith('wait-'))
    response
      .writeHead(429, { 'retry-after': kind.slice('wait-'.length) })
      .end(JSON.stringify({ error: { ...BROKEN, code: 'rate_limited' }, meta: META }));
  else if (kind === 'drip') drip(request, response);
  else if (uncertain && !again) response.writeHead(uncertain[0]).end(uncertain[1]);
  else response.writeHead(200, { 'content-type': 'application/json' }).end(GOOD);
};

beforeAll(async () => {
  const file = (name: string) => readFileSync(join(ROOT, 'tests/support/internet', name));
  const tls = { cert: file('partner-cert.pem'), key: file('partner-key.pem') };
  const elsewhere: RequestListener = ({ method = '', headers }, response) => {
    leaked.push({ method, authorization: headers.authorization ?? '' });
    response.writeHead(200, { 'content-type': 'application/json' }).end(GOOD);
  };
  const closed = createTcpServer();
  origins.api = `http://127.0.0.1:${await listen(createServer(answer))}`;
  // Another host: a client that compares only ports or names would not notice the difference.
  origins.other = `http://localhost:${await listen(createServer(elsewhere))}`;
  origins.tls = `https://127.0.0.1:${await listen(createTlsServer(tls, elsewhere))}`;
  origins.closed = `http://127.0.0.1:${await listen(closed)}`;
  await new Promise((resolve) => closed.close(resolve));
});

afterAll(() => {
  for (const server of servers) {
    if ('closeAllConnections' in server) (server as ReturnType<typeof createServer>).closeAllConnections();
    server.close();
  }
});

/** Makes the calls with the client in TypeScript. */
async function callTypeScript(cases: Case[]): Promise<Outcome[]> {
  const call = ({ name, api, method, seconds }: Case): Promise<Outcome> => {
    const send = transport({ baseUrl: api, apiKey: 'pbk_test_secret', maxDuration: seconds * 1_000 });
    const write = method === 'POST' ? { body: { n: 1 }, idempotencyKey: `key-of-${name}` } : {};
    return send<{ word: string }>(method, '/things', write).then(
      ({ word }) => ({ name, status: 200, code: 'ok', message: word }),
      (error: unknown) => {
        if (!(error instanceof PartnerError)) throw error;
        return { name, status: error.status, code: error.code, message: error.message };
      },
    );
  };
  return Promise.all(cases.map(call));
}

/** Makes the calls with the client in another language. */
async function callSample(language: Language, cases: Case[]): Promise<Outcome[]> {
  const [command = '', ...args] = language.run;
  const directory = await mkdtemp(join(tmpdir(), 'failures-'));
  try {
    const main = sampleFile('failures', language.extension);
    await copyFiles(language, directory, false);
    await copyFile(join(ROOT, 'tests/integration/docs/samples', main), join(directory, main));
    await writeFile(join(directory, 'cases.json'), JSON.stringify(cases));
    const { stdout } = await runFile(command, [...args, main], { cwd: directory, timeout: 150_000 });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Outcome);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const resolves = () =>
  lookup('host.invalid').then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code !== 'ENOTFOUND',
  );

const CLIENTS: [string, Language | null][] = [
  ['TypeScript', null],
  ...testedLanguages('the failures of the clients').map((language): [string, Language] => [language.name, language]),
];

/** Speaks no TLS. `connections` returns how often a client tried. */
async function listenPlain() {
  let connections = 0;
  const plain = createServer(answer).on('connection', () => {
    connections += 1;
  });
  return { origin: `https://127.0.0.1:${await listen(plain)}`, connections: () => connections };
}

// The clients wait most of the time.
test.concurrent.each(CLIENTS)(
  'the client in %s refuses redirects, names the cause, and repeats only what can heal, with the same key',
  async (client, language) => {
    const calls = (names: string[], method: Case['method'], origin = origins.api): Case[] =>
      names.map((name) => ({
        name: `${name}-${method}`,
        api: `${origin}/${client}-${method}/${name}`,
        method,
        seconds: 60,
      }));
    const plain = await listenPlain();
    const redirects = [...REDIRECTS.map((status) => `redirect-${status}`), 'bad-location'];
    const hasNames = !(await resolves());
    if (!hasNames) console.warn('NOT TESTED: a name that does not exist, because the resolver does not say so.');
    const cases = [
      ...calls(redirects, 'GET'),
      ...calls(redirects, 'POST'),
      ...calls([...Object.keys(UNCERTAIN), 'lost', 'limited'], 'POST'),
      ...calls(
        LONG_WAITS.map((seconds) => `wait-${seconds}`),
        'POST',
      ),
      ...calls(['untrusted'], 'POST', origins.tls),
      ...calls(['plain'], 'POST', plain.origin),
      ...calls(['closed'], 'POST', origins.closed),
      ...(hasNames ? calls(['nowhere'], 'POST', 'http://host.invalid') : []),
      ...calls(['hang', 'drip'], 'GET').map((one) => ({ ...one, seconds: 1 })),
    ];
    const outcomes = await (language ? callSample(language, cases) : callTypeScript(cases));
    const of = (name: string) => outcomes.find((one) => one.name === name);
    const sentOf = (name: string, method: string) =>
      sent.filter(({ path }) => path === `/${client}-${method}/${name}/things`);
    expect(outcomes.map(({ name }) => name)).toEqual(cases.map(({ name }) => name));
    expect(leaked).toEqual([]);
    for (const method of ['GET', 'POST'])
      for (const name of redirects) {
        expect(of(`${name}-${method}`)).toMatchObject({
          status: Number(/\d+/.exec(name)?.[0] ?? 302),
          code: 'redirected',
          message: expect.stringContaining('The API never redirects: check the base URL.'),
        });
        expect(sentOf(name, method)).toHaveLength(1);
      }
    for (const name of [...Object.keys(UNCERTAIN), 'lost', 'limited']) {
      expect(of(`${name}-POST`)).toEqual({ name: `${name}-POST`, status: 200, code: 'ok', message: 'good' });
      const key = `key-of-${name}-POST`;
      expect(sentOf(name, 'POST')).toMatchObject([
        { method: 'POST', key },
        { method: 'POST', key },
      ]);
    }
    const [first, second] = sentOf('limited', 'POST').map(({ at }) => at);
    const waited = Number(second) - Number(first);
    expect(waited).toBeGreaterThanOrEqual(RETRY_AFTER * 1_000 - 5);
    // Half a second of jitter, and half a second for a slow machine. A factor would add up to two seconds.
    expect(waited).toBeLessThan(RETRY_AFTER * 1_000 + 1_000);
    for (const seconds of LONG_WAITS) {
      expect(of(`wait-${seconds}-POST`)).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(sentOf(`wait-${seconds}`, 'POST'), `Retry-After: ${seconds}`).toHaveLength(1);
    }
    for (const name of ['untrusted', 'plain']) {
      expect(of(`${name}-POST`)).toMatchObject({
        status: 0,
        code: 'tls_failed',
        message: expect.stringMatching(/TLS.*certificate/),
      });
    }
    expect(plain.connections()).toBe(1);
    expect(of('closed-POST')).toMatchObject({ status: 0, code: 'connection_refused' });
    expect(of('closed-POST')?.message).toContain('The connection was refused: check the base URL.');
    if (hasNames) {
      expect(of('nowhere-POST')).toMatchObject({ status: 0, code: 'name_not_found' });
      expect(of('nowhere-POST')?.message).toContain('The host name was not found: check the base URL.');
    }
    for (const name of ['hang-GET', 'drip-GET']) {
      expect(of(name)).toMatchObject({ status: 0, code: 'no_response' });
      expect(of(name)?.message).toContain('There was no complete response in time.');
    }
    for (const { message } of outcomes) expect(message).not.toContain('pbk_');
  },
  180_000,
);
