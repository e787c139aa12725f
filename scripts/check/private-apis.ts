// Fails if product code uses private members of Node.js, Next.js, or pg, or replaces methods of their objects. Such code can
// break with a new version without an error.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateProblems } from './private-uses';

const ROOTS = ['app', 'inngest', 'lib', 'scripts'];
/** The pattern of this check matches itself. */
const PATTERN = 'scripts/check/private-uses.ts';

for (const root of ROOTS) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).replaceAll('\\', '/');
    if (!entry.isFile() || !/\.(tsx?|mjs)$/.test(file) || file === PATTERN || file.includes('/generated/')) continue;
    for (const problem of privateProblems(file, readFileSync(file, 'utf8'))) {
      console.log(problem);
      process.exitCode = 1;
    }
  }
}
