import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRouter } from '@/lib/control-center/trpc/router';

const source = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => readFileSync(join('app', file), 'utf8'))
  .join('\n');

/** How a page calls a procedure. The key of a query or of a text, such as `bulk.close`, is no call. */
const CALL = '\\s*\\.(?:queryOptions|infiniteQueryOptions|mutationOptions|query|mutate)\\b';

/** The pages of the three kinds of records share their calls, which name the router by a variable. */
function isCalledByKind(name: string): boolean {
  const call = new RegExp(`\\b(?:procedures|useProcedures\\(kind\\))\\.${name}${CALL}`);
  const taken = new RegExp(`const \\{[^}]*\\b${name}\\b[^}]*\\} = (?:useProcedures\\(kind\\)|catalog\\[)`);
  return call.test(source) || taken.test(source);
}

test('a page calls each procedure', () => {
  const uncalled = Object.keys(appRouter._def.procedures).filter((path) => {
    const [router, name = ''] = path.split('.').slice(-2);
    if (new RegExp(`\\b${router}\\.${name}${CALL}`).test(source)) return false;
    return !(/^catalog\.(?:services|locations|specialists)\./.test(path) && isCalledByKind(name));
  });
  expect(uncalled).toEqual([]);
});
