// Fails if product code lets PostgreSQL, Node.js, or a browser convert a time between time zones.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conversionsIn } from './zone-conversions';

/** The migrations of earlier releases are never edited, and `AT TIME ZONE 'UTC'` in them needs no rules. */
const ROOTS = ['app', 'inngest', 'lib', 'scripts/server', 'scripts/start', 'scripts/tenant'];
const CODE = /\.(?:ts|tsx|mjs|sql)$/;
const SKIPPED = /(?:^|\/)generated\//;

for (const root of ROOTS) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name).replaceAll('\\', '/');
    if (!entry.isFile() || !CODE.test(file) || SKIPPED.test(file)) continue;
    for (const { line, text } of conversionsIn(file, readFileSync(file, 'utf8'))) {
      console.log(`${file}:${line}: ${text}`);
      process.exitCode = 1;
    }
  }
}
