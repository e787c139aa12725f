// Fails if anything refers to a missing section of docs/contract.md or docs/architecture.md, or if a document names a
// test that does not exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { danglingReferences, targetsIn } from './dangling';
import { missingTests } from './named-tests';

const ROOTS = ['app', 'docs', 'inngest', 'lib', 'prisma', 'scripts', 'tests'];
const TEXT = /\.(?:ts|tsx|mjs|cjs|js|css|md|sql|prisma|json)$/;
/** The test of this check contains invalid references on purpose. */
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

function report(file: string, line: number, reference: string): void {
  console.log(`${file}:${line}: ${reference} does not exist`);
  process.exitCode = 1;
}

const sourceOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

for (const file of files()) {
  const text = readFileSync(file, 'utf8');
  for (const { line, reference } of danglingReferences(text, documents)) report(file, line, reference);
  if (!file.endsWith('.md')) continue;
  for (const missing of missingTests(text, sourceOf))
    report(file, missing.line, `"${missing.title}" in ${missing.file}`);
}
