import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { PROGRAM } from '@/scripts/bootstrap/bundle.mjs';

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles TypeScript code for processes of a test, in which tsx would compile each file again. Its imports are relative to
 * the repository. Returns the path.
 */
export function bundleProgram(contents: string): Promise<string> {
  const known = bundles.get(contents) ?? bundle(contents);
  bundles.set(contents, known);
  return known;
}

async function bundle(contents: string): Promise<string> {
  const name = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  const outfile = resolve('.cache', 'test', 'programs', `${name}.mjs`);
  await build({ ...PROGRAM, stdin: { contents, resolveDir: resolve('.'), loader: 'ts' }, outfile });
  return outfile;
}
