import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ALL_OPERATIONS, BASE_PATH } from '@/lib/contract/operations';

const ROOT = fileURLToPath(new URL(`../../app${BASE_PATH}`, import.meta.url));
const CATCH_ALL = '[...unknown]';

/**
 * Returns the route files below the base path. Each key is the path of an operation. For example, the file in
 * `bookings/[pbr_reference]` has the key `/bookings/{pbr_reference}`.
 */
function routeFiles(): Map<string, string> {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => /route\.[jt]sx?$/.test(file));
  return new Map(
    files.map((file) => {
      const folder = file.replace(/\/?route\.[jt]sx?$/, '');
      return [`/${folder}`.replaceAll(/\[([^\].]+)\]/g, '{$1}'), join(ROOT, file)];
    }),
  );
}

function methodsByPath(): Record<string, string[]> {
  const methods: Record<string, string[]> = {};
  for (const { path, method } of ALL_OPERATIONS) methods[path] = [...(methods[path] ?? []), method].sort();
  return methods;
}

test('every operation has a route file with its method, and every route file is an operation', async () => {
  const found: Record<string, string[]> = {};
  for (const [path, file] of routeFiles()) {
    if (path === `/${CATCH_ALL}`) continue;
    const exported: object = await import(/* @vite-ignore */ file);
    found[path] = Object.keys(exported).sort();
  }
  expect(found).toEqual(methodsByPath());
});

test('there is one catch-all route', () => {
  expect([...routeFiles().keys()].filter((path) => path.includes('...'))).toEqual([`/${CATCH_ALL}`]);
});

test('there are only route files below the base path', () => {
  const files = readdirSync(ROOT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(new Set(files.map(({ name }) => name))).toEqual(new Set(['route.ts']));
});

test('operation ids are unique, and so are method and path', () => {
  expect(new Set(ALL_OPERATIONS.map(({ id }) => id)).size).toBe(ALL_OPERATIONS.length);
  expect(new Set(ALL_OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(ALL_OPERATIONS.length);
});
