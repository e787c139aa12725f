import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogQuery } from '@/lib/contract/catalog';
import { AppError } from '@/lib/contract/errors/app-error';
import { specialistsQuery } from '@/lib/contract/specialists';
import { parseQuery } from '@/lib/http/partner-api/request';

function refusal(search: string): AppError {
  try {
    parseQuery(search, catalogQuery);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return expect.unreachable('the query was taken');
}

test.for([
  ['', { limit: 25 }],
  ['limit=1', { limit: 1 }],
  ['limit=50&locale=de-CH&cursor=abc', { limit: 50, locale: 'de-CH', cursor: 'abc' }],
  ['%6cimit=%35', { limit: 5 }],
  ['&&limit=5&', { limit: 5 }],
  ['cursor=a+b', { limit: 25, cursor: 'a b' }],
  ['cursor=a%2Bb', { limit: 25, cursor: 'a+b' }],
  ['cursor=a=b', { limit: 25, cursor: 'a=b' }],
  ['cursor', { limit: 25, cursor: '' }],
] as const)('%j is parsed', ([search, expected]) => {
  expect(parseQuery(search, catalogQuery)).toEqual(expected);
});

test('all parameters of listSpecialists are parsed', () => {
  const read = parseQuery('service_id=svc_1&location_id=loc_1&locale=en&limit=2&cursor=x', specialistsQuery);
  expect(read).toEqual({ service_id: 'svc_1', location_id: 'loc_1', locale: 'en', limit: 2, cursor: 'x' });
});

test('a parameter repeated in two encodings is refused', () => {
  expect(refusal('limit=1&%6Cimit=2').fields).toEqual([{ path: 'limit', message: 'must not be repeated' }]);
});

test('more than fifty parameters are refused', () => {
  expect(refusal('a&'.repeat(51)).fields).toEqual([]);
  expect(parseQuery('&'.repeat(40), catalogQuery)).toEqual({ limit: 25 });
});

const SENT = 'Zq7';
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('limit', 'locale', 'cursor', '%', '%zz', '%ff', '__proto__', 'constructor', '', '0', '50', 'de'),
);
const search = fc
  .array(fc.tuple(text, fc.option(text)), { maxLength: 8 })
  .map((pairs) => pairs.map(([name, value]) => (value === null ? name : `${name}=${SENT}${value}`)).join('&'));

test('any query is parsed or refused with a contract error without values', () => {
  fc.assert(
    fc.property(search, (query) => {
      try {
        const read = parseQuery(query, catalogQuery);
        expect(read.limit).toBeGreaterThanOrEqual(1);
        expect(read.limit).toBeLessThanOrEqual(50);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.code).toBe('invalid_request');
        expect(error.fields.length).toBeLessThanOrEqual(20);
        for (const { path } of error.fields) expect(path).toMatch(/^(?:\*|[a-z_]{1,40})$/);
        expect(JSON.stringify([error.message, error.reason, error.fields])).not.toContain(SENT);
      }
    }),
    { numRuns: 5000 },
  );
});

test('percent-encoded values round-trip', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (cursor) => {
      expect(parseQuery(`cursor=${encodeURIComponent(cursor)}`, catalogQuery).cursor).toBe(cursor);
    }),
  );
});
