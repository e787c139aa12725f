import { beforeAll, expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { checkReply } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG, SPECIALISTS } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let key: string;

beforeAll(async () => {
  key = (await makeBusiness()).key;
});

async function ask(target: string, method = 'GET') {
  const { status, headers, text } = await sendRaw(origin, target, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });
  return checkReply(status, headers, text);
}

const UNKNOWN = [
  BASE_PATH,
  `${BASE_PATH}/`,
  `${BASE_PATH}/nothing`,
  `${BASE_PATH}/bookings/pbr_x/actions/explode`,
  `${CATALOG}/`,
  `${SPECIALISTS}/`,
  `${BASE_PATH}//catalog`,
  `/api/partner//v1/catalog`,
  `//api/partner/v1/catalog`,
  `${BASE_PATH}/./catalog`,
  `${BASE_PATH}/x/../catalog`,
  `${BASE_PATH}/%63atalog`,
  `${BASE_PATH}/catalog%2Fspecialists`,
  `${BASE_PATH}/Catalog`,
  `${BASE_PATH}/catalog;x=1`,
  `${BASE_PATH}/catalog%00`,
  `${BASE_PATH}/%00`,
  `${BASE_PATH}/%ff`,
  `${BASE_PATH}/%zz`,
  `${BASE_PATH}/%`,
  `${BASE_PATH}/catalog%20`,
  `${BASE_PATH}/unknown-route`,
  `${BASE_PATH}/[...unknown]`,
  '/api/partner/v2/catalog',
  '/api/partner',
  '/api/partner/v1/catalog/specialists/spc_x',
];

test.for(UNKNOWN)('returns 404 for %s', async (target) => {
  const reply = await ask(target);
  expect(reply.status).toBe(404);
  expect(reply.error).toMatchObject({ code: 'not_found', reason: 'unknown_route', fields: [] });
  expect(reply.error.message).toContain(` ${BASE_PATH}.`);
  expect(reply.headers.location).toBeUndefined();
});

const NO_API = [
  '/api',
  '/api/',
  '/api/v1/bookings',
  '/api/v1',
  '/api/nothing',
  '/api/authors',
  '/api/v2/catalog?limit=1',
];

test.for(NO_API)('returns the 404 of the contract for %s, with any method and without a key', async (target) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const { status, headers, text } = await sendRaw(origin, target, { method, headers: { accept: 'text/html' } });
    const reply = checkReply(status, headers, text);
    expect([method, reply.status, reply.error.code, reply.error.reason]).toEqual([
      method,
      404,
      'not_found',
      'unknown_route',
    ]);
    expect(reply.error.message).toContain(` ${BASE_PATH}.`);
  }
});

test('returns the same response for every unknown route, except for the request id', async () => {
  const replies = await Promise.all(UNKNOWN.map((target) => ask(target)));
  expect(new Set(replies.map(({ text, requestId }) => text.replaceAll(requestId, '*'))).size).toBe(1);
});

test.for(['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])(
  'returns 404 without an Allow header for %s on an unknown route',
  async (method) => {
    const reply = await ask(`${BASE_PATH}/nothing`, method);
    expect(reply.status).toBe(404);
    expect(reply.headers.allow).toBeUndefined();
  },
);

test('repeats neither the path nor the query in the response', async () => {
  const sent = marker();
  expectNoEcho(await ask(`${BASE_PATH}/${sent}`), sent);
  expectNoEcho(await ask(`${BASE_PATH}/nothing?${sent}=${sent}`), sent);
});

test('returns 404, not 400, for an invalid query on an unknown route', async () => {
  expect((await ask(`${BASE_PATH}/nothing?limit=0&limit=%ff`)).status).toBe(404);
});

test('requires no scope for a 404 and counts it against the quota', async () => {
  const { key: bare } = await makeBusiness({ scopes: [], quota: 4 });
  const { status, headers } = await sendRaw(origin, `${BASE_PATH}/nothing`, {
    headers: { authorization: `Bearer ${bare}` },
  });
  expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([404, '4', '3']);
});
