import { request } from 'undici';
import { expect, test } from 'vitest';
import { callProcedure, makePerson, signInOverHttp } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

type Headers = Record<string, string>;
async function open(path: string, headers: Headers = {}, method: 'GET' | 'POST' | 'HEAD' | 'PUT' | 'DELETE' = 'GET') {
  const answer = await request(origin + path, { method, headers, ...(method === 'POST' && { body: '{"n":1}' }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text };
}

const WRONG = [
  '/',
  '/v1',
  '/v1/bookings',
  '/bookings',
  '/catalog?x=1',
  '/partner/v1',
  '/swagger',
  '/mcp',
  '/t/ten_x/bookings',
];

test.each([
  ['with a key', { authorization: 'Bearer pbk_test_x', accept: HTML }],
  ['that accepts JSON', { accept: 'application/json' }],
  ['that accepts anything', { accept: '*/*' }],
  ['without Accept', {}],
  ['with a key as Basic', { authorization: 'Basic cGJrOg==', accept: '*/*' }],
  ['with a cookie of another program', { cookie: 'a=b; partner-booking-live.session=x' }],
] as [string, Headers][])('a request %s never gets the sign-in page, but the base path', async (_, headers) => {
  for (const path of WRONG) {
    const { status, headers: got, text } = await open(path, headers);
    expect([path, status, got.location]).toEqual([path, 404, undefined]);
    expect(got['content-type']).toBe('application/json; charset=utf-8');
    expect(got['cache-control']).toBe('private, no-store');
    const { error, meta } = JSON.parse(text);
    expect(error).toMatchObject({ code: 'not_found', doc_url: `${origin}/docs/errors/not_found` });
    expect(error.message).toContain('The base path of the API is /api/partner/v1.');
    expect(meta.request_id).toBe(got['x-request-id']);
  }
  for (const method of ['POST', 'PUT', 'DELETE'] as const)
    expect(await open('/bookings', headers, method)).toMatchObject({
      status: 404,
      text: expect.stringMatching(/base path/),
    });
  expect(await open('/bookings', headers, 'HEAD')).toMatchObject({ status: 404, text: '' });
});

test('a browser still reaches the sign-in, and a member the Control Center', async () => {
  expect((await open('/sign-in', { accept: HTML })).text).toContain('href="/docs"');
  for (const headers of [{ accept: HTML }, { accept: HTML, authorization: 'Basic c3RhZ2luZzp4' }] as Headers[])
    expect(await open('/requests?x=1', headers)).toMatchObject({
      status: 307,
      headers: { location: `/sign-in?next=${encodeURIComponent('/requests?x=1')}` },
    });
  expect((await open('/requests', { rsc: '1', accept: '*/*' })).status).toBe(307);
  expect((await open('/sign-in')).status).toBe(200);
  const { email, password } = await makePerson((await makeTenant()).id);
  const cookie = (await signInOverHttp(origin, email, password)) ?? '';
  expect((await open('/', { cookie })).headers.location).toMatch(/^\/t\/ten_/);
  expect((await callProcedure('session.me', { origin, cookie, type: 'query' })).status).toBe(200);
});

test('the files at the root are public, for every Accept, and describe this deployment', async () => {
  const types = {
    '/llms.txt': 'text/plain; charset=utf-8',
    '/llms-full.txt': 'text/plain; charset=utf-8',
    '/robots.txt': 'text/plain; charset=utf-8',
    '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  };
  for (const headers of [{}, { accept: HTML }, { authorization: 'Bearer x', accept: '*/*' }] as Headers[])
    for (const [path, type] of Object.entries(types)) {
      const found = await open(path, headers);
      expect([path, found.status, found.headers['content-type']]).toEqual([path, 200, type]);
    }
  const [llms, full, robots] = await Promise.all(
    ['/llms.txt', '/llms-full.txt', '/robots.txt'].map((path) => open(path)),
  );
  for (const { text } of [llms, full] as { text: string }[]) {
    expect(text).toContain(`Base URL: ${origin}/api/partner/v1`);
    expect(text).toContain('`Authorization: Bearer pbk_test_…`');
    expect(text).toContain('Every POST has the header `Idempotency-Key`');
  }
  expect(llms?.text).toMatch(/\n## Optional\n\n- \[[^#]+$/);
  expect(full?.text).toContain('\n# Partner Booking API v1: contract\n');
  expect(robots?.text).toContain('Disallow: /\n');
  const catalog = await open('/.well-known/api-catalog');
  expect(JSON.parse(catalog.text).linkset[1]).toMatchObject({
    anchor: `${origin}/api/partner/v1`,
    'service-desc': [{ href: `${origin}/docs/openapi.json` }],
  });
  const head = await open('/.well-known/api-catalog', {}, 'HEAD');
  expect(head).toMatchObject({ status: 200, headers: { link: '</.well-known/api-catalog>; rel="api-catalog"' } });
  expect(await open('/openapi.json')).toMatchObject({ status: 308, headers: { location: '/docs/openapi.json' } });
});

test('a page of the documentation is Markdown for a program that asks for it', async () => {
  const markdown = { accept: 'text/markdown, text/plain;q=0.5' };
  for (const path of ['/docs', '/docs/quickstart', '/docs/quickstart/'])
    expect(await open(path, markdown)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/markdown; charset=utf-8', vary: expect.stringContaining('Accept') },
    });
  expect((await open('/docs', { accept: `text/markdown,${HTML}` })).headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    link: '</docs/index.md>; rel="alternate"; type="text/markdown"',
  });
  expect((await open('/docs/nowhere', { accept: HTML })).headers).not.toHaveProperty('link');
  expect((await open('/docs/openapi.json', markdown)).headers['content-type']).toContain('application/json');
  expect((await open('/docs/nothing', markdown)).status).toBe(404);
});
