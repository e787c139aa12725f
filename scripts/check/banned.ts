// Fails if product code uses what breaks or differs with a version of a runtime: private members of Node.js, Next.js,
// pg, or Prisma, the currencies of Intl, and conversions of time zones by PostgreSQL, Node.js, or a browser.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bannedUses } from './banned-uses';

const ROOTS = ['app', 'inngest', 'lib', 'prisma', 'scripts'];
/** The patterns match themselves. */
const SKIPPED = /^scripts\/check\/banned-uses\.ts$|(?:^|\/)generated\//;

for (const root of ROOTS) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).replaceAll('\\', '/');
    if (!entry.isFile() || !/\.(tsx?|mjs|sql)$/.test(file) || SKIPPED.test(file)) continue;
    for (const problem of bannedUses(file, readFileSync(file, 'utf8'))) {
      console.log(problem);
      process.exitCode = 1;
    }
  }
}
