import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { maskEmail, openOptions, sealOptions } from '@/lib/booking/bookings/customer';
import { checkMetadata } from '@/lib/booking/bookings/sensitive';
import { createBookingBody, booking as responseSchema } from '@/lib/contract/bookings';
import { requestError } from '@/lib/contract/errors/request-error';
import { metadata } from '@/lib/contract/optional-fields';

beforeAll(() => {
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const CUSTOMER = { name: 'Robin Sample', phone: '+49 30 23125 234', consent_to_contact: true };
const BODY = {
  service_id: 'svc_1',
  date: '2026-09-14',
  start_time: '09:30',
  external_reference: 'order-1',
  customer: CUSTOMER,
};

/** The body as JSON, so that a name such as `__proto__` arrives as it does from a client. */
function parsed(json: string) {
  return createBookingBody.safeParse({ ...BODY, ...JSON.parse(json) });
}

/** The fields of the response and their messages. */
function issuesOf(json: string) {
  const { error } = parsed(json);
  return error ? requestError(error).fields.map(({ path, message }) => `${path} ${message}`) : [];
}

const pairs = (count: number, value = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, value]));

test.for([
  [{}, undefined],
  [{ metadata: null, note: null, customer: { ...CUSTOMER, email: null, locale: null } }, undefined],
  [{ metadata: {} }, undefined],
  [{ metadata: pairs(20, '😀'.repeat(200)) }, pairs(20, '😀'.repeat(200))],
  [{ metadata: { constructor: 'a', toString: 'b', [`N${'-'.repeat(39)}`]: ' c ' } }, undefined],
] as const)('accepts %j', ([body, expected]) => {
  const { data } = parsed(JSON.stringify(body));
  expect(data).toBeDefined();
  if (expected) expect(data?.metadata).toEqual(expected);
  if (!('metadata' in body))
    expect([data?.note, data?.metadata, data?.customer.email]).toEqual(Array(3).fill(undefined));
});

test.for([
  ['[]', 'must be an object'],
  ['[["a","b"]]', 'must be an object'],
  ['"a=b"', 'must be an object'],
  ['7', 'must be an object'],
  [JSON.stringify(pairs(21)), 'must have at most 20 pairs'],
  ['{"__proto__":"x"}', 'must have names of'],
  ['{"__proto__":{"admin":"yes"}}', 'must have names of'],
  ['{"":"x"}', 'must have names of'],
  ['{"1st":"x"}', 'must have names of'],
  ['{"a b":"x"}', 'must have names of'],
  ['{"a\\u0000":"x"}', 'must have names of'],
  [`{"${'a'.repeat(41)}":"x"}`, 'must have names of'],
  ['{"a":{"b":"c"}}', 'must have texts of'],
  ['{"a":["b"]}', 'must have texts of'],
  ['{"a":null}', 'must have texts of'],
  ['{"a":1}', 'must have texts of'],
  ['{"a":true}', 'must have texts of'],
  ['{"a":""}', 'must have texts of'],
  ['{"a":"x\\ny"}', 'must have texts of'],
  ['{"a":"\\u0007"}', 'must have texts of'],
  ['{"a":"\\ud800"}', 'must have texts of'],
  ['{"a":"\\u202e"}', 'must have texts of'],
  ['{"a":"\\ufffd"}', 'must not contain U+FFFD'],
  [`{"a":"${'x'.repeat(201)}"}`, 'must have texts of'],
])('refuses the metadata %s at its field', ([json, message]) => {
  expect(issuesOf(`{"metadata":${json}}`)).toEqual([expect.stringContaining(`metadata ${message}`)]);
});

test.for(['', ' \n ', 'x'.repeat(501), 'a\tb', 'a\u0000', 'a\u2028b', 'a\ufffd', '\ud800', 7, {}])(
  'refuses the note %j at its field',
  (note) => {
    expect(issuesOf(JSON.stringify({ note }))).toEqual([expect.stringMatching(/^note must/)]);
  },
);

test('a note keeps its lines, and loses the spaces around it', () => {
  expect(parsed(JSON.stringify({ note: ' Ground floor.\r\nNo stairs. \n' })).data?.note).toBe(
    'Ground floor.\nNo stairs.',
  );
  expect(parsed(JSON.stringify({ note: '😀'.repeat(500) })).data?.note).toHaveLength(1_000);
});

test.for(['', 'robin', '@b.example', 'a@b', 'a@b.', 'a@.example', 'a b@c.example', 'a@b@c.example', 'ä@b.example', 7])(
  'refuses the email address %j at its field',
  (email) => {
    const customer = { ...CUSTOMER, email };
    expect(issuesOf(JSON.stringify({ customer }))).toEqual([expect.stringMatching(/^customer\.email must/)]);
  },
);

test.for([
  ['de', 'de'],
  ['de_DE', 'de-DE'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
])('keeps the language %s as %s', ([locale, kept]) => {
  expect(parsed(JSON.stringify({ customer: { ...CUSTOMER, locale } })).data?.customer.locale).toBe(kept);
});

test.for(['german!', '', 'x'.repeat(101), 7])('refuses the language %j at its field', (locale) => {
  const customer = { ...CUSTOMER, locale };
  expect(issuesOf(JSON.stringify({ customer }))).toEqual([expect.stringMatching(/^customer\.locale must/)]);
});

test('a masked email address shows two characters and the last label, and matches the contract', () => {
  expect(maskEmail('robin.sample@mail.example.com')).toBe('r***@m***.com');
  const address = fc.stringMatching(/^[a-z.+]{1,20}@[a-z0-9]{1,10}(\.[a-z0-9-]{1,10}){1,3}$/);
  fc.assert(
    fc.property(address, (email) => {
      const masked = maskEmail(email);
      expect(responseSchema.shape.customer.shape.email_masked.parse(masked)).toBe(masked);
      expect(masked.replace(/\.[^.]*$/, '')).toHaveLength('r***@m***'.length);
    }),
  );
});

test('sealed options open only with their booking, and every accepted metadata comes back unchanged', () => {
  const name = fc.oneof(fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.-]{0,39}$/), fc.constant('constructor'));
  const value = fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' });
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 20, noNullPrototype: true }), (given) => {
      const { data, success } = metadata.safeParse(JSON.parse(JSON.stringify(given)));
      if (!success || data === undefined) return;
      const sealed = sealOptions('pbr_1', { metadata: data, note: 'n', email: 'a@b.example', locale: 'de' });
      const opened = openOptions({ reference: 'pbr_1', ...sealed });
      expect(opened).toEqual({ email: 'a@b.example', locale: 'de', note: 'n', metadata: given });
      expect(() => openOptions({ reference: 'pbr_2', ...sealed })).toThrow();
    }),
    { numRuns: 50 },
  );
});

const ROBIN = { name: 'Robin Sample', phone: '+493055501234' };

const SENSITIVE: Record<string, string>[] = [
  { mail: 'someone@example.com' },
  { first: 'Robin', other: 'Sample' },
  { robin_sample: 'yes' },
  { 'id-3055501234': 'yes' },
  { phone: '030 / 5550 12 34' },
  { a: '305550', b: '1234' },
  { card: '4111 1111 1111 1111' },
  { key: 'pbk_live_' },
  { hook: 'whsec_x' },
];

test.for(SENSITIVE)('finds customer data and credentials in the metadata %j', (given) => {
  expect(() => checkMetadata(given, ROBIN)).toThrow(
    expect.objectContaining({ reason: 'sensitive_reference', fields: [expect.objectContaining({ path: 'metadata' })] }),
  );
});

test('metadata without contact data passes, also numbers next to each other', () => {
  const harmless = {
    order: '4711',
    cart: '1111111111111',
    group_a: '4111',
    group_b: '1111',
    seat: '1111',
    row: '1111',
  };
  expect(() => checkMetadata(harmless, ROBIN)).not.toThrow();
});
