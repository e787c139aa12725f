import { beforeAll, expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { newBookingReference } from '@/lib/platform/ids';
import { comparable, expectRefusal } from '@/tests/support/booking-rows';
import { BOOKINGS, makeDesk } from '@/tests/support/bookings';
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
  const sentAt = Date.now();
  const { status, headers, text } = await sendRaw(origin, target, {
    method,
    headers: { authorization: `Bearer ${key}` },
  });
  return checkReply(status, headers, text, sentAt);
}

const UNKNOWN = [
  BASE_PATH,
  `${BASE_PATH}/`,
  `${BASE_PATH}/nothing`,
  `${CATALOG}/`,
  `${SPECIALISTS}/`,
  ...[`${BOOKINGS}/`, `${BOOKINGS}//`, `${BOOKINGS}%2f`, `${BASE_PATH}/Bookings`],
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
  for (const reply of await Promise.all([ask(target), ask(target, 'POST')])) {
    expectRefusal(reply, 404, 'not_found', 'unknown_route');
    expect(reply.error.fields).toEqual([]);
    expect(reply.error.message).toContain(` ${BASE_PATH}.`);
    expect(reply.headers.location).toBeUndefined();
  }
});

const BELOW = [
  ...['/', '/events', '/actions', '/actions/', '//actions/cancel', '/actions/cancel/', '/actions/cancel/x'],
  ...['complete', 'no_show', 'explode', 'Cancel', 'cancel%20', 'cancel;x', '__proto__'].map(
    (name) => `/actions/${name}`,
  ),
];

test('returns 404 for every other path below a booking, whether or not it exists, and changes nothing', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  const unknown = comparable(await desk.client(`${BASE_PATH}/nothing`));
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
  const write = { method: 'POST', headers, body: '{"expected_version":1}' };
  for (const path of BELOW) {
    const at = [reference, newBookingReference()].map((named) => `${BOOKINGS}/${named}${path}`);
    const sent = at.flatMap((target) => [desk.client(target), desk.client(target, write)]);
    for (const reply of await Promise.all(sent)) expect([path, comparable(reply)]).toEqual([path, unknown]);
  }
  expect((await desk.read(reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
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
    const sentAt = Date.now();
    const { status, headers, text } = await sendRaw(origin, target, { method, headers: { accept: 'text/html' } });
    const reply = checkReply(status, headers, text, sentAt);
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
