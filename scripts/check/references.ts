// Fails if code, a test, or a text refers to a section of docs/contract.md or docs/architecture.md that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { danglingReferences, targetsIn } from './dangling';

const ROOTS = ['app', 'docs', 'inngest', 'lib', 'prisma', 'scripts', 'tests'];
const TEXT = /\.(?:ts|tsx|mjs|cjs|js|css|md|sql|prisma|json)$/;
/** Files that are not checked: generated files, and the test of this check, which contains dangling references. */
const SKIPPED = /(?:^|\/)generated\/|^package-lock\.json$|^tests\/unit\/docs\/references\.test\.ts$/;

function filesBelow(root: string, recursive: boolean): string[] {
  const entries = readdirSync(root, { recursive, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'));
}

function files(): string[] {
  const all = [...filesBelow('.', false), ...ROOTS.flatMap((root) => filesBelow(root, true))];
  return all.filter((file) => TEXT.test(file) && !SKIPPED.test(file));
}

const documents = {
  contract: targetsIn(readFileSync('docs/contract.md', 'utf8')),
  architecture: targetsIn(readFileSync('docs/architecture.md', 'utf8')),
};

for (const file of files()) {
  for (const { line, reference } of danglingReferences(readFileSync(file, 'utf8'), documents)) {
    console.log(`${file}:${line}: ${reference} does not exist`);
    process.exitCode = 1;
  }
}
