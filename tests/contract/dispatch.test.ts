import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask } from '../integration/edge/raw';
import { freshAddress } from '../support/client';
import { makeBusiness, makeService, offer } from '../support/factories';
import { startServer, type TestServer } from '../support/server';
import { sharedServer } from '../support/shared';

const BASE = '/api/partner/v1';

/**
 * One of two identical businesses, and the port for its requests. For one business, the edge responds directly. For
 * the other, Next.js responds.
 */
type World = { port: number; key: string; serviceId: string; date: string; reference: string; cursor: string };

let next: TestServer;
let direct: World;
let viaNext: World;

async function makeWorld(port: number): Promise<World> {
  const { tenant, location, service, specialist, key } = await makeBusiness({ quota: 500 });
  const other = await makeService(tenant.id, {
    name: { en: 'Color', de: 'Farbe' },
    description: { en: 'Long text. '.repeat(150) },
  });
  await offer(tenant.id, [specialist], [other], [location]);
  const date = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  return { port, key, serviceId: service.id, date, reference: '', cursor: '' };
}

beforeAll(async () => {
  const { origin, databaseUrl } = sharedServer();
  next = await startServer({
    program: ['--import', 'tsx', 'tests/support/next-server.ts'],
    env: { PUBLIC_ORIGIN: origin },
    databaseUrl,
  });
  direct = await makeWorld(Number(new URL(origin).port));
  viaNext = await makeWorld(next.port);
});
afterAll(() => next.stop());

/**
 * Headers that are not compared between a response through Next.js and a direct response. Times and request ids
 * differ between two responses, and only Next.js uses chunked encoding.
 */
const NOT_COMPARED = ['date', 'x-request-id', 'x-ratelimit-reset', 'transfer-encoding', 'content-length'];

/** Returns a response with placeholders for generated ids, cursors, and times. */
function comparable({ status, headers, body }: Answer): object {
  const neutral = (text: string) =>
    text
      .replaceAll(/\b([a-z]{3})_[0-9a-z]{26}\b/g, '$1')
      .replaceAll(/"next_cursor":"[^"]+"/g, '"next_cursor":"…"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant');
  const kept = [...headers]
    .filter(([name]) => !NOT_COMPARED.includes(name))
    .map(([name, value]) => [name, neutral(value)]);
  const compressed = headers.get('content-encoding') === 'gzip';
  const text = compressed ? gunzipSync(Buffer.from(body, 'latin1')).toString() : body;
  return { status, headers: Object.fromEntries(kept), body: neutral(text) };
}

/**
 * Sends the same request to the server whose edge responds directly and to the server on which Next.js responds.
 * Asserts that the two responses are equal.
 */
async function askBoth(request: (world: World) => string): Promise<{ direct: Answer; next: Answer }> {
  const address = freshAddress();
  const [first, second] = await Promise.all(
    [direct, viaNext].map((world) => ask(world.port, Buffer.from(request(world), 'latin1'), address)),
  );
  if (!first || !second) throw new Error('no response');
  expect(comparable(first)).toEqual(comparable(second));
  return { direct: first, next: second };
}

const lines = (first: string, more: string) => `${first} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

const keyed =
  (first: string | ((world: World) => string), more = '') =>
  (world: World) =>
    lines(typeof first === 'string' ? first : first(world), `Authorization: Bearer ${world.key}\r\n${more}`);

const JSON_TYPE = 'Content-Type: application/json\r\n';

/** Returns a function that takes a `World` and returns the text of a POST request with the key of that `World`. */
const posted =
  (path: string | ((world: World) => string), body: string | ((world: World) => string), more = JSON_TYPE) =>
  (world: World) => {
    const text = typeof body === 'string' ? body : body(world);
    const length = `Content-Length: ${Buffer.byteLength(text, 'latin1')}\r\n`;
    return keyed(`POST ${BASE}${typeof path === 'string' ? path : path(world)}`, more + length)(world) + text;
  };

const idempotent = (key: string) => `${JSON_TYPE}Idempotency-Key: ${key}\r\n`;

const booking = (start: string) => (world: World) =>
  JSON.stringify({
    service_id: world.serviceId,
    date: world.date,
    start_time: start,
    external_reference: 'order-1',
    customer: { name: 'Guest', phone: '+491701234567', consent_to_contact: true },
  });

const catalog = `GET ${BASE}/catalog`;
const availability =
  (more = '') =>
  (world: World) =>
    `GET ${BASE}/availability?service_id=${world.serviceId}&date=${world.date}${more}`;

const READS: [string, (world: World) => string, number][] = [
  ['the catalog', keyed(catalog), 200],
  ['the catalog in German', keyed(`${catalog}?locale=de`), 200],
  ['a negotiated language', keyed(catalog, 'Accept-Language: de-AT, en;q=0.5\r\n'), 200],
  ['a page of one', keyed(`${catalog}?limit=1`), 200],
  ['Next parameters in the query', keyed(`${catalog}?_rsc=1&nxtPx=1`), 400],
  ['specialists', keyed((world) => `GET ${BASE}/catalog/specialists?service_id=${world.serviceId}`), 200],
  ['availability', keyed(availability('&limit=3')), 200],
  ['a repeated parameter', keyed(`${catalog}?limit=1&limit=2`), 400],
  ['an invalid escape in the query', keyed(`${catalog}?limit=%zz`), 400],
  ['an invalid cursor', keyed(`${catalog}?cursor=nonsense-nonsense-nonsense`), 400],
  ['a missing booking', keyed(`GET ${BASE}/bookings/pbr_${'0'.repeat(26)}`), 404],
  ['an unknown route', keyed(`GET ${BASE}/nothing`), 404],
  ['a trailing slash', keyed(`${catalog}/`), 404],
  ['an escaped path', keyed(`GET /api/partner/v1/%63atalog`), 404],
  ['an invalid escape in the path', keyed(`GET ${BASE}/%zz`), 404],
  ['an asterisk', keyed('OPTIONS *'), 404],
  ['an absolute target', keyed(`GET http://other.example${BASE}/catalog`), 200],
  ...['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'PUT', 'PATCH', 'DELETE', 'POST'].map(
    (method): [string, (world: World) => string, number] => [method, keyed(`${method} ${BASE}/catalog`), 405],
  ),
  ['PUT of a path with two methods', keyed(`PUT ${BASE}/bookings`), 405],
  ['bookings without a reference', keyed(`GET ${BASE}/bookings`), 400],
  ['bookings of an unknown reference', keyed(`GET ${BASE}/bookings?external_reference=order-0&limit=100`), 200],
  ['a read with a body', (world) => `${keyed(catalog, 'Content-Length: 4\r\n')(world)}body`, 200],
  ['3,000 headers', keyed(catalog, 'a: b\r\n'.repeat(3000)), 200],
  ['odd header names', keyed(catalog, '__proto__: x\r\nconstructor: y\r\nOrigin: a\r\nOrigin: b\r\n'), 200],
  ['headers of Next', keyed(catalog, 'RSC: 1\r\nNext-Router-Prefetch: 1\r\nX-Middleware-Rewrite: /\r\n'), 200],
  ['compression', keyed(catalog, 'Accept-Encoding: gzip, br\r\n'), 200],
  ['no key', () => lines(catalog, ''), 401],
  ['an empty key', () => lines(catalog, 'Authorization: Bearer \r\n'), 401],
  ['a key of the other environment', () => lines(catalog, `Authorization: Bearer pbk_live_${'0'.repeat(40)}\r\n`), 401],
  ['two keys', () => lines(catalog, 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\n'), 401],
  ['an unknown route without a key', () => lines(`GET ${BASE}/nothing`, ''), 401],
  ['a method without a key', () => lines(`DELETE ${BASE}/catalog`, ''), 401],
  ['HTTP/1.0', (world) => keyed(catalog)(world).replace('HTTP/1.1', 'HTTP/1.0'), 200],
];

const WRITES: [string, (world: World) => string, number][] = [
  ['another content type', posted('/bookings', '{}', 'Content-Type: text/plain\r\n'), 400],
  [
    'a content encoding',
    posted('/bookings', '{}', `${idempotent('encoded-body-1234')}Content-Encoding: gzip\r\n`),
    400,
  ],
  ['no idempotency key', posted('/bookings', '{}'), 400],
  ['two idempotency keys', posted('/bookings', '{}', `${idempotent('k'.repeat(16))}Idempotency-Key: \r\n`), 400],
  ['invalid JSON', posted('/bookings', '{', idempotent('invalid-json-1234')), 400],
  ['no body', posted('/bookings', '', idempotent('without-body-1234')), 400],
  ['a duplicate key', posted('/bookings', '{"a":1,"a":2}', idempotent('duplicate-key-1234')), 400],
  ['deep nesting', posted('/bookings', '['.repeat(40), idempotent('deep-nesting-1234')), 400],
  ['invalid UTF-8', posted('/bookings', '"\xff"', idempotent('invalid-utf8-1234')), 400],
  ['16 KiB and one byte', posted('/bookings', `"${'a'.repeat(16_383)}"`, idempotent('large-body-12345')), 400],
  ['100 KiB', posted('/bookings', `"${'a'.repeat(100_000)}"`, idempotent('larger-body-12345')), 400],
  ['unknown fields', posted('/bookings', '{"a":1}', idempotent('unknown-field-123')), 400],
  ['a body of chunks', chunked, 400],
  ['a new booking', posted('/bookings', booking('10:00'), idempotent('booking-1-1234567')), 201],
  ['its replay', posted('/bookings', booking('10:00'), idempotent('booking-1-1234567')), 201],
  ['a reused idempotency key', posted('/bookings', booking('11:00'), idempotent('booking-1-1234567')), 409],
  ['a taken slot', posted('/bookings', booking('10:00'), idempotent('booking-2-1234567')), 409],
];

function chunked(world: World): string {
  const head = `${idempotent('chunked-body-1234')}Transfer-Encoding: chunked\r\n`;
  return `${keyed(`POST ${BASE}/bookings`, head)(world)}3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`;
}

describe('the edge responds like Next', () => {
  it.each(READS)('%s', async (_, request, status) => {
    expect((await askBoth(request)).direct.status).toBe(status);
  });

  it.each(WRITES)('%s', async (_, request, status) => {
    expect((await askBoth(request)).direct.status).toBe(status);
  });

  it('a second page', async () => {
    const cursorIn = ({ body }: Answer) => JSON.parse(body).data.next_cursor as string;
    const first = await askBoth(keyed(`${catalog}?limit=1`));
    direct.cursor = cursorIn(first.direct);
    viaNext.cursor = cursorIn(first.next);
    const second = await askBoth(keyed((world) => `${catalog}?limit=1&cursor=${world.cursor}`));
    expect(second.direct.status).toBe(200);
    expect(cursorIn(second.direct)).toBeNull();
  });

  it('a booking that is read, moved, and cancelled', async () => {
    const created = await askBoth(posted('/bookings', booking('14:00'), idempotent('booking-3-1234567')));
    const referenceIn = ({ status, body }: Answer) => {
      expect({ status, body }).toMatchObject({ status: 201 });
      return JSON.parse(body).data.booking.reference as string;
    };
    direct.reference = referenceIn(created.direct);
    viaNext.reference = referenceIn(created.next);
    const path = (more: string) => (world: World) => `/bookings/${world.reference}${more}`;
    const move = (world: World) => JSON.stringify({ expected_version: 1, date: world.date, start_time: '15:00' });
    const steps: [(world: World) => string, number][] = [
      [keyed((world) => `GET ${BASE}${path('')(world)}`), 200],
      [posted(path('/actions/reschedule'), move, idempotent('move-1-123456789')), 200],
      [posted(path('/actions/cancel'), '{"expected_version":1}', idempotent('cancel-1-1234567')), 409],
      [posted(path('/actions/cancel'), '{"expected_version":2}', idempotent('cancel-2-1234567')), 200],
      [posted(path('/actions/cancel'), '{"expected_version":2}', idempotent('cancel-2-1234567')), 200],
      [posted(path('/actions/none'), '{}', idempotent('cancel-3-1234567')), 404],
      [keyed(`GET ${BASE}/bookings?external_reference=order-1&limit=2`), 200],
    ];
    for (const [request, status] of steps) expect((await askBoth(request)).direct.status).toBe(status);
  });

  it('refuses beyond the failure quota', async () => {
    const address = freshAddress();
    const request = Buffer.from(lines(catalog, ''));
    const ports = [direct.port, viaNext.port];
    const last = await Promise.all(
      ports.map(async (port) => {
        for (let count = 0; count < 30; count += 1) await ask(port, request, address);
        return ask(port, request, address);
      }),
    );
    expect(last.map(({ status }) => status)).toEqual([429, 429]);
    const withoutDelay = last.map(({ headers, ...rest }) =>
      comparable({ ...rest, headers: new Map([...headers].filter(([name]) => name !== 'retry-after')) }),
    );
    expect(withoutDelay[0]).toEqual(withoutDelay[1]);
  });
});
