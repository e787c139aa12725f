import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { API_FOLDERS, isUnknownApi } from '@/lib/http/edge/page';

test('every folder under app/api is known, and nothing else is', () => {
  const folders = readdirSync('app/api').filter((name) => name !== 'partner' && !name.startsWith('['));
  expect(API_FOLDERS).toEqual(folders.sort());
});

test.for([
  ['/api', true],
  ['/api/', true],
  ['/api/v1/catalog', true],
  ['/api/authors', true],
  ['/api/bench/bare', true],
  ['/api/auth', false],
  ['/api/auth/csrf', false],
  ['/apis', false],
  ['/catalog/api/v1', false],
] as const)('whether nothing under /api answers %s: %s', ([path, expected]) => {
  expect(isUnknownApi(path)).toBe(expected);
});
