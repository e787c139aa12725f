import { expect, test } from 'vitest';
import { z } from 'zod';
import { requestError } from '@/lib/contract/errors/request-error';

const schema = z.strictObject({
  name: z.string().max(3),
  list: z.array(z.int()).max(1),
  kind: z.enum(['a', 'b']),
  at: z.iso.datetime(),
  own: z.string().min(1, 'must not be empty'),
  when: z.union([z.literal('now'), z.int().min(1)]),
});

test('field messages never contain the library’s messages', () => {
  const parsed = schema.safeParse({ name: 'long', list: [1, 2], kind: 'c', at: 'x', own: '', when: 0 });
  expect(parsed.error && requestError(parsed.error).fields).toEqual([
    { path: 'name', message: 'must be at most 3 characters' },
    { path: 'list', message: 'must be at most 1 entries' },
    { path: 'kind', message: 'must be one of the known values' },
    { path: 'at', message: 'is not valid' },
    { path: 'own', message: 'must not be empty' },
    { path: 'when', message: 'must be at least 1' },
  ]);
  const empty = schema.safeParse({ name: 1, list: [1.5], kind: 1, at: 1, when: 'now' });
  expect(empty.error && requestError(empty.error).fields.map(({ message }) => message)).toEqual([
    'must be text',
    'must be a whole number',
    'must be one of the known values',
    'must be text',
    'is required',
  ]);
  const nothing = schema.safeParse({ name: null, list: [null], kind: null, at: null, own: null, when: null });
  expect(nothing.error && requestError(nothing.error).fields.map(({ message }) => message)).toEqual([
    'is required',
    'must be a number',
    'must be one of the known values',
    'is required',
    'is required',
    'is not valid',
  ]);
});

test('a field is named once, and at most twenty fields are named', () => {
  const twice = z.strictObject({ name: z.string().min(5, 'must be longer').regex(/^a/, 'must begin with a') });
  const parsed = twice.safeParse({ name: 'b' });
  expect(parsed.error?.issues).toHaveLength(2);
  expect(parsed.error && requestError(parsed.error).fields).toEqual([{ path: 'name', message: 'must be longer' }]);
  const many = z.array(z.int()).safeParse(Array.from({ length: 21 }, () => 'x'));
  const error = many.error && requestError(many.error);
  expect([error?.fields.length, error?.message]).toEqual([20, '21 fields are invalid.']);
});
