import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readBytes } from '@/lib/http/edge/exchange';
import { parseBody, readText, validate, withoutAbsent } from '@/lib/http/partner-api/request';

const JSON_TYPE = 'application/json';

function request(body: string | Uint8Array<ArrayBuffer>, type: string | null = JSON_TYPE) {
  const headers = type === null ? {} : { 'content-type': type };
  return { headers, readBytes: (max: number) => readBytes(Readable.from([Buffer.from(body)]), max) };
}

const readBody = async (incoming: ReturnType<typeof request>) => parseBody(await readText(incoming));

const refusal = (body: string | Uint8Array<ArrayBuffer>, type?: string | null) =>
  readBody(request(body, type)).then(
    () => null,
    (error: unknown) => error,
  );

test('any JSON without duplicate keys is parsed unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 5 }), async (text) => {
      if (text.length > 16_000) return;
      expect(await readBody(request(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('a key may repeat in different objects, but not in the same one', async () => {
  expect(await readBody(request('{"a":{"a":1},"b":[{"a":1},{"a":2}]}'))).toEqual({
    a: { a: 1 },
    b: [{ a: 1 }, { a: 2 }],
  });
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":1}',
    '{"b":{"a":1,"c":{},"a":1}}',
    '[{"a":[],"a":[]}]',
    '{"":1,"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":[{"x":1}],"b":{"a":1},"a":2}',
  ]) {
    expect(await refusal(text)).toMatchObject({ code: 'invalid_request', message: 'The body has a duplicate field.' });
  }
});

test.for([
  ['', 'The body is empty. It must be a JSON object.'],
  [' \n ', 'The body is empty. It must be a JSON object.'],
  ['{"a":1,}', 'The body is not valid JSON: line 1, column 8.'],
  ["{\n  'a': 1\n}", 'The body is not valid JSON: line 2, column 3.'],
  ['{"a":', 'The body is not valid JSON: line 1, column 6.'],
  ['{"a":1}\r\n{}', 'The body is not valid JSON: line 2, column 1.'],
  ['a=1', 'The body is not valid JSON: line 1, column 1.'],
] as const)('the message for %j says where it is wrong', async ([text, message]) => {
  expect(await refusal(text)).toMatchObject({ code: 'invalid_request', fields: [], message });
});

test('any text that is not JSON is refused with a place, and none of it is repeated', async () => {
  const pieces = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', ',', ':', 'Zq7', '1', '01', '1.', 'null', '\\', '\n', '//', ' '),
  );
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const text = parts.join('');
      const error = await refusal(text);
      const valid = () => JSON.parse(text);
      if (error === null) return void expect(valid).not.toThrow();
      expect(String(error)).not.toContain('Zq7');
      expect(error).toMatchObject({ message: expect.stringMatching(/line \d+, column \d+\.$|is empty|duplicate/) });
    }),
    { numRuns: 2_000 },
  );
});

test('32 levels are accepted, 33 and thousands are refused', async () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  for (const nest of [lists, objects]) {
    expect(await refusal(nest(32))).toBeNull();
    for (const depth of [33, 1_000, 2_500]) {
      expect(await refusal(nest(depth))).toMatchObject({ code: 'invalid_request', status: 400 });
    }
  }
  expect(await refusal(lists(8_000))).toMatchObject({ code: 'invalid_request', status: 400 });
  expect(await refusal(`[${lists(31)},${lists(31)}]`)).toBeNull();
});

test('16 KiB are accepted and one byte more is refused', async () => {
  expect(await refusal('1'.padEnd(16_384))).toBeNull();
  expect(await refusal('1'.padEnd(16_385))).toMatchObject({ status: 400 });
  const wide = (count: number) => `"${'ä'.repeat(count)}"`;
  expect(await refusal(wide(8_191))).toBeNull();
  expect(await refusal(wide(8_192))).toMatchObject({ status: 400 });
});

test('bytes that are not UTF-8 are refused', async () => {
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xc0, 0xaf, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xe4],
  ]) {
    expect(await refusal(new Uint8Array(bytes))).toMatchObject({ code: 'invalid_request' });
  }
});

test.for([
  'application/json',
  'APPLICATION/JSON',
  'application/json;charset=utf-8',
  'application/json ; charset="UTF-8" ',
])('the content type %j is accepted', async (type) => {
  expect(await refusal('{}', type)).toBeNull();
});

test.for([null, 'text/plain', 'application/json; charset=utf-16', 'application/json; x=y', 'application/jsonx'])(
  'the content type %j is refused, and the error names the header',
  async (type) => {
    expect(await refusal('{}', type)).toMatchObject({ fields: [{ path: 'Content-Type' }] });
  },
);

test('a field with several errors is listed once, with the first error', () => {
  const schema = z.strictObject({ date: z.string().min(5, 'too short').regex(/^x/, 'must start with x') });
  const read = () => validate({ date: 'abc' }, schema);
  expect(read).toThrow(
    expect.objectContaining({ message: 'One field is invalid.', fields: [{ path: 'date', message: 'too short' }] }),
  );
});

test('unknown fields whose names may contain data are counted but not named', () => {
  const read = () => validate({ 'a@b.c': 1, '+49': 1 }, z.strictObject({}));
  expect(read).toThrow(
    expect.objectContaining({
      reason: 'unknown_field',
      fields: [
        { path: '*', message: 'is unknown' },
        { path: '*', message: 'is unknown' },
      ],
    }),
  );
});

test.for<[unknown, unknown]>([
  [{ a: null, b: 1 }, { b: 1 }],
  [{ customer: { name: 'a', email: null, more: { deep: null } } }, { customer: { name: 'a' } }],
  [{ metadata: {} }, {}],
  [{ metadata: { a: null }, note: null }, {}],
  [
    { a: '', b: 0, c: false, d: [] },
    { a: '', b: 0, c: false, d: [] },
  ],
  [{ a: [null, { b: null }] }, { a: [null, { b: null }] }],
  [JSON.parse('{"__proto__":{"a":null}}'), {}],
  [JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  [null, null],
  [{}, {}],
])('in a fingerprint, %j counts as %j', ([body, counted]) => {
  expect(JSON.stringify(withoutAbsent(body))).toBe(JSON.stringify(counted));
});
