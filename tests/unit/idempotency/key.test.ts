import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { identityOf, parseIdempotencyKey } from '@/lib/booking/idempotency/once';

beforeAll(() => {
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 16,
  maxLength: 128,
});

function refusal(header: string | null): unknown {
  try {
    return parseIdempotencyKey(header);
  } catch (error) {
    return error;
  }
}

test('accepts every key of 16 to 128 printable characters, quoted or not', () => {
  fc.assert(
    fc.property(printable, (key) => {
      expect(parseIdempotencyKey(`"${key}"`)).toBe(key);
      const quoted = key.startsWith('"') && key.endsWith('"');
      if (!quoted) expect(parseIdempotencyKey(key)).toBe(key);
      else if (key.length >= 18) expect(parseIdempotencyKey(key)).toBe(key.slice(1, -1));
    }),
  );
});

test('a missing key has its own reason', () => {
  expect(refusal(null)).toMatchObject({ code: 'invalid_request', reason: 'idempotency_key_required' });
});

test('refuses shorter and longer keys and other characters, without a reason', () => {
  const outside = fc.integer({ min: 0, max: 0x2fff }).filter((code) => code < 0x21 || code > 0x7e);
  fc.assert(
    fc.property(printable, outside, fc.nat(128), (key, code, at) => {
      const bad = (key.slice(0, at) + String.fromCharCode(code) + key.slice(at)).slice(0, 128);
      if (!/^[\x21-\x7e]*$/.test(bad)) expect(refusal(bad)).toMatchObject({ reason: null, status: 400 });
    }),
  );
  for (const length of [0, 1, 15, 129, 130, 10_000]) {
    expect(refusal('k'.repeat(length))).toMatchObject({ fields: [{ path: 'Idempotency-Key' }] });
    expect(refusal(`"${'k'.repeat(length)}"`)).toMatchObject({ fields: [{ path: 'Idempotency-Key' }] });
  }
  for (const header of ['"', '""']) expect(refusal(header)).toMatchObject({ reason: null });
});

const of = (body: unknown, { application = 'app_a', key = 'k', method = 'POST', path = '/p' } = {}) =>
  identityOf(application, key, method, path, body);

const same = (one: Buffer, two: Buffer) => one.equals(two);

/** Returns the same JSON value with the keys of every object in reverse order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, shuffled(part)]),
  );
}

test('the order of object keys does not change the fingerprint; the order of arrays and every value do', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (one, two) => {
      expect(same(of(one).fingerprint, of(shuffled(one)).fingerprint)).toBe(true);
      const read = (value: unknown) => JSON.parse(JSON.stringify(value));
      const equal = JSON.stringify(sorted(read(one))) === JSON.stringify(sorted(read(two)));
      expect(same(of(read(one)).fingerprint, of(read(two)).fingerprint)).toBe(equal);
    }),
  );
  expect(same(of([1, 2]).fingerprint, of([2, 1]).fingerprint)).toBe(false);
  expect(same(of({ a: null }).fingerprint, of({}).fingerprint)).toBe(false);
  expect(same(of({ a: '1' }).fingerprint, of({ a: 1 }).fingerprint)).toBe(false);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  return [
    'object',
    ...Object.entries(value)
      .map(([name, part]) => [name, sorted(part)])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  ];
}

test('the fingerprint depends on method, path and body, the hash on application and key', () => {
  const base = of({ a: 1 });
  for (const other of [of({ a: 2 }), of({ a: 1 }, { method: 'PUT' }), of({ a: 1 }, { path: '/q' })]) {
    expect([same(base.keyHash, other.keyHash), same(base.fingerprint, other.fingerprint)]).toEqual([true, false]);
  }
  for (const other of [of({ a: 1 }, { key: 'l' }), of({ a: 1 }, { application: 'app_b' })]) {
    expect(same(base.keyHash, other.keyHash)).toBe(false);
  }
});

test('moving characters between parts changes the hash', () => {
  const [one, two] = [of(1, { application: 'app_a', key: 'bc' }), of(1, { application: 'app_ab', key: 'c' })];
  expect(same(one.keyHash, two.keyHash)).toBe(false);
  const [left, right] = [of(1, { method: 'POST', path: 'X/p' }), of(1, { method: 'POSTX', path: '/p' })];
  expect(same(left.fingerprint, right.fingerprint)).toBe(false);
});
