import { describe, expect, it, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { unnoticed } from '../../support/bystander';
import { makePerson, signInOverHttp } from '../../support/control-center';
import { makeTenant } from '../../support/factories';
import { sharedServer } from '../../support/shared';
import { ask, expectContract } from './raw';

const { origin } = sharedServer();
const PORT = Number(new URL(origin).port);

const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;
const cookies = (bytes: number) => `Cookie: ${'a=1; '.repeat(bytes / 5)}b=1\r\n`;
const lines = (count: number) => Array.from({ length: count }, (_, i) => `x-${i}: 1\r\n`).join('');

const LARGE = JSON.stringify(Object.fromEntries(Array.from({ length: 200_000 }, (_, i) => [`field_${i}`, i])));

/** Sends a request, and asserts that it does not delay a second client. */
const askUnnoticed = (bytes: string) => unnoticed(origin, () => ask(PORT, bytes));

describe('requests that take Next seconds', () => {
  it.each(['/api/partner/v1/catalog', '/api/partner/none'])('53 KB of cookies to %s', async (path) => {
    expectContract(await askUnnoticed(get(path, cookies(53_000))), 401, 'invalid_api_key');
  });

  it.each([
    ['/docs', 200],
    ['/sign-in', 200],
    ['/api/none', 404],
  ])('53 KB of cookies to %s', async (path, status) => {
    expect(await askUnnoticed(get(path, cookies(53_000)))).toMatchObject({ status });
  });

  it.each(['/docs', '/sign-in', '/api/trpc/session.me', '/api/none'])('60 KB of query to %s', async (path) => {
    const answer = await askUnnoticed(get(`${path}?${'a=1&'.repeat(15_000)}`));
    expect(answer).toMatchObject({ status: 414, body: 'URI Too Long' });
  });

  it.each(['/docs', '/sign-in', '/api/none'])('6,000 header lines to %s', async (path) => {
    const answer = await askUnnoticed(get(path, lines(6_000)));
    expect(answer).toMatchObject({ status: 431, body: 'Request Header Fields Too Large' });
  });

  it('6,000 header lines to the partner API', async () => {
    expectContract(await askUnnoticed(get('/api/partner/v1/catalog', lines(6_000))), 401, 'invalid_api_key');
  });

  it.each(['/api/auth/callback/credentials', '/api/setup', '/api/invite', '/sign-in', '/api/trpc/session.me'])(
    '4 MB of JSON to %s',
    async (path) => {
      const more = `Content-Type: application/json\r\nContent-Length: ${LARGE.length}\r\n`;
      const answer = await askUnnoticed(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n${LARGE}`);
      expect(answer.status).toBe(413);
    },
  );
});

describe('the limits outside the partner API', () => {
  it.each([
    [`/docs?q=${'a'.repeat(2_046)}`, 200],
    [`/docs?q=${'a'.repeat(2_047)}`, 414],
    [`/${'a'.repeat(2_048)}`, 414],
    [`/api/auth/callback/oidc?code=${'a'.repeat(4_000)}`, 404],
  ])('%.30s…', async (target, status) => {
    expect((await ask(PORT, get(target))).status).toBe(status);
  });

  it.each([
    [99, 200],
    [100, 431],
  ])('%i header lines beside Host', async (count, status) => {
    expect((await ask(PORT, get('/docs', lines(count)))).status).toBe(status);
  });

  // In TEST, the set-up does not exist, and its body is not even read.
  it.each([
    ['/api/setup', 404, 'not_found'],
    ['/api/invite', 400, 'invalid_request'],
  ])('a form to %s is not parsed', async (path, status, code) => {
    const body = JSON.stringify({ token: 'a', signed_in: true });
    const more = `Content-Type: text/plain\r\nX-Partner-Booking: control-center\r\nContent-Length: ${body.length}\r\n`;
    const answer = await ask(PORT, `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n${body}`);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
  });

  it('JSON to the sign-in is not parsed', async () => {
    const more = 'Content-Type: application/json\r\nContent-Length: 2\r\n';
    const path = '/api/auth/callback/credentials';
    expect((await ask(PORT, `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n{}`)).status).toBe(400);
  });
});

test('attempts to get access are refused before their bodies are read, for one address only', async () => {
  const post = (address: string) =>
    ask(PORT, `POST /api/auth/callback/credentials HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`, address);
  const result = await unnoticed(origin, async (run) => {
    const answers = [];
    for (let round = 0; round < 15; round++)
      answers.push(...(await Promise.all(Array.from({ length: 9 }, () => post(`127.9.${run}.9`)))));
    return answers;
  });
  const refused = result.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(15);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(JSON.parse(refused[0]?.body ?? '')).toMatchObject({
    error: { code: 'rate_limited' },
    url: expect.stringContaining('/sign-in?error=rate_limited'),
  });
  expect((await post('127.9.0.10')).status).toBe(400);
});

test('a session survives next to 53 KB of other cookies', async () => {
  const { id } = await makeTenant();
  const person = await makePerson(id);
  const cookie = await signInOverHttp(origin, person.email, person.password);
  const more = `X-Partner-Booking: control-center\r\n${TENANT_HEADER}: ${person.tenantId}\r\nCookie: ${'a=1; '.repeat(10_000)}${cookie}\r\n`;
  const answer = await askUnnoticed(get('/api/trpc/session.me', more));
  expect(answer.status).toBe(200);
  expect(answer.body).toContain(person.email);
});
