import { beforeAll, expect, test } from 'vitest';
import { countRows, expectFields, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';
import { checkReply } from '@/tests/support/client';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { sharedServer } from '@/tests/support/shared';
import { ask } from '../../edge/raw';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

async function expectRefused(text: string, headers: Record<string, string> = {}) {
  const reply = await desk.create(text, { headers });
  expectRefusal(reply, 400, 'invalid_request', reply.error?.reason);
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  return reply;
}

const CONTENT_TYPES = [
  '',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json, application/json',
  'application/merge-patch+json',
  'application/jsonp',
];

test.for(CONTENT_TYPES)('rejects content type %j and names the header', async (contentType) => {
  const reply = await expectRefused(JSON.stringify(desk.body()), { 'content-type': contentType });
  expectFields(reply, ['Content-Type']);
});

test.for(['gzip', 'br', 'identity, gzip', 'gzip, identity', 'unknown'])(
  'rejects content encoding %j and names the header',
  async (encoding) => {
    const reply = await expectRefused(JSON.stringify(desk.body()), { 'content-encoding': encoding });
    expectFields(reply, ['Content-Encoding']);
  },
);

test('accepts the content encoding identity', async () => {
  const { create, body } = await makeDesk();
  expect((await create(body(), { headers: { 'content-encoding': 'Identity' } })).status).toBe(201);
});

const INVALID_JSON = [
  '',
  ' ',
  '{',
  '}',
  '{"service_id":',
  "{'service_id':'x'}",
  '{service_id:"x"}',
  '{"service_id":"x",}',
  '{"service_id":"x"}{}',
  '{"service_id":"x"} // why',
  '{"service_id":NaN}',
  '{"service_id":undefined}',
  '{"service_id":"\u0001"}',
  '{"service_id":"\\x41"}',
  '{"service_id":01}',
  'service_id=x',
  '<booking/>',
];

test.for(INVALID_JSON)('rejects a body that is not JSON: %j', async (text) => {
  const reply = await expectRefused(text);
  expect([reply.error.reason, reply.error.fields]).toEqual([null, []]);
});

test.for(['null', '1', '"text"', 'true', '[]', '[{}]'])('rejects JSON that is not an object: %s', async (text) => {
  expectFields(await expectRefused(text), ['*']);
});

test('rejects bytes that are not UTF-8', async () => {
  const text = JSON.stringify(desk.body('10:00', { external_reference: 'B\xfccher' }));
  const head = [
    `POST ${BOOKINGS} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${desk.key}`,
    'Content-Type: application/json',
    'Idempotency-Key: a-key-of-this-test',
    `Content-Length: ${text.length}`,
  ];
  const { port } = new URL(sharedServer().origin);
  const sentAt = Date.now();
  const { status, headers, body } = await ask(
    Number(port),
    Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`, 'latin1'),
  );
  expectRefusal(checkReply(status, Object.fromEntries(headers), body, sentAt), 400, 'invalid_request');
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});

const DUPLICATE_KEYS = [
  (text: string) => text.replace('{', '{"date":"2027-01-01",'),
  (text: string) => text.replace('{', '{"d\\u0061te":"2027-01-01",'),
  (text: string) => text.replace('"customer":{', '"customer":{"name":"Somebody Else",'),
  (text: string) => text.replace('{', '{"customer":{},'),
  (text: string) => text.replace('{', '{"x":{"a":{"b":1,"b":1}},'),
  (text: string) => text.replace('{', '{"x":[{"b":1},{"b":1,"c":2,"b":1}],'),
];

test.for(DUPLICATE_KEYS.map((_, i) => i))(
  'rejects duplicate keys at every depth and in every spelling: case %i',
  async (i) => {
    const text = DUPLICATE_KEYS[i]?.(JSON.stringify(desk.body())) ?? '';
    expect(JSON.parse(text)).toBeTypeOf('object');
    const { error } = await expectRefused(text);
    expect([error.reason, error.fields]).toEqual([null, []]);
  },
);

test('accepts a body of 16 KiB and rejects one more byte', async () => {
  const { create, body, tenant } = await makeDesk();
  const text = JSON.stringify(body());
  expectRefusal(await create(text.padEnd(16_385, ' ')), 400, 'invalid_request');
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await create(text.padEnd(16_384, ' '))).status).toBe(201);
});

test.for([100_000, 1_000_000, 2_000_000])('rejects a body of %i bytes with a complete response', async (size) => {
  const sent = marker();
  const text = JSON.stringify(desk.body('10:00', { external_reference: sent.padEnd(size, 'x') }));
  expectNoEcho(await expectRefused(text), sent);
});

const NESTED = [3, 100, 1_000, 2_000, 3_000, 4_000, 6_000, 7_900];

test.for(NESTED)('rejects arrays nested %i deep', async (depth) => {
  const deep = '['.repeat(depth) + ']'.repeat(depth);
  const text = JSON.stringify(desk.body());
  await expectRefused(text.replace('{', `{"x":${deep},`));
  await expectRefused(text.replace(/"date":"[^"]*"/, `"date":${deep}`));
  await expectRefused(deep);
});

test.for(NESTED.filter((depth) => depth <= 2_500))('rejects objects nested %i deep', async (depth) => {
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  await expectRefused(JSON.stringify(desk.body()).replace('{', `{"x":${deep},`));
  await expectRefused(JSON.stringify(desk.body()).replace('"customer":{', `"customer":{"x":${deep},`));
});

test('still accepts bookings after all rejected bodies', async () => {
  const { book } = await makeDesk();
  expect((await book()).status).toBe('confirmed');
});
