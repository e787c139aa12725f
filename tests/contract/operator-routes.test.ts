import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../integration/edge/raw';
import { METRICS_TOKEN } from '../support/metrics';
import { startServer, type TestServer } from '../support/server';

let direct: TestServer;
let viaNext: TestServer;

beforeAll(async () => {
  const env = { METRICS_TOKEN };
  direct = await startServer({ env });
  viaNext = await startServer({
    program: ['--import', 'tsx', 'tests/support/next-server.ts'],
    env: { ...env, PUBLIC_ORIGIN: direct.origin },
    databaseUrl: direct.databaseUrl,
  });
});

afterAll(async () => {
  await viaNext?.stop();
  await direct?.stop();
});

/**
 * Headers that are not compared. The time differs, only Next.js uses chunked encoding, and only Next.js adds the headers
 * of its page formats to `Vary`.
 */
const NOT_COMPARED = ['date', 'transfer-encoding', 'content-length', 'vary'];

/** Sends the same request to both servers, and returns the status, the comparable headers, and the body of each. */
async function askBoth(first: string, more = '') {
  const answers = await Promise.all(
    [direct, viaNext].map(({ port }) => ask(port, `${first} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`)),
  );
  return answers.map(({ status, headers, body }) => {
    const kept = [...headers]
      .filter(([name]) => !NOT_COMPARED.includes(name))
      .map(([name, value]) => [name, value.replace(/'nonce-[^']+'/, "'nonce'")]);
    const compressed = headers.get('content-encoding') === 'gzip';
    const text = compressed ? gunzipSync(Buffer.from(body, 'latin1')).toString() : body;
    return { status, headers: Object.fromEntries(kept), text };
  });
}

const TOKEN = `Authorization: Bearer ${METRICS_TOKEN}\r\n`;

test.each([
  ['GET /api/health/live', '', 200],
  ['HEAD /api/health/live', '', 200],
  ['GET /api/health/live?a=1', '', 200],
  ['GET /api/health/live', 'Content-Length: 2\r\n\r\n{}', 200],
  ['GET /api/metrics', '', 401],
  ['GET /api/metrics', 'Authorization: Bearer wrong\r\n', 401],
  ['POST /api/health', '', 405],
])('%s %j responds the same as through Next.js', async (first, more, status) => {
  const [answer, next] = await askBoth(first, more);
  expect(answer).toEqual(next);
  expect(answer?.status).toBe(status);
});

test.each(['', 'Accept-Encoding: gzip\r\n'])(
  'the headers of the metrics are the same as through Next.js',
  async (more) => {
    const [answer, next] = await askBoth('GET /api/metrics', TOKEN + more);
    expect(answer?.headers).toEqual(next?.headers);
    expect([answer?.status, next?.status]).toEqual([200, 200]);
    expect(answer?.text).toContain('# TYPE process_resident_memory_bytes gauge');
  },
);

test('the headers of the health check are the same as through Next.js', async () => {
  await expect.poll(async () => (await askBoth('GET /api/health'))[0]?.status, { timeout: 10_000 }).toBe(200);
  const [answer, next] = await askBoth('GET /api/health');
  expect(answer?.text).toBe('{"status":"ok"}');
  expect(answer?.headers).toEqual(next?.headers);
});
