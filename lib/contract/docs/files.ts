import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleNames, samplePath } from './samples';

/** A file that is served beside the pages. */
export type ServedFile = { type: string; text: string };

const SAMPLES = sampleNames().map((name) => [`/docs/samples/${name}`, [samplePath(name), 'text/plain']] as const);

/** The files of the clone that are served, with their content types. Source code is served as text. */
const FILES: Record<string, readonly [string, string]> = {
  '/docs/client.ts': ['lib/contract/client.ts', 'text/plain'],
  '/docs/conformance.mjs': ['.next/conformance.mjs', 'text/plain'],
  '/docs/webhook-vectors.json': ['docs/partner/webhook-vectors.json', 'application/json'],
  ...Object.fromEntries(SAMPLES),
};

/** The paths of all files. */
export const FILE_PATHS: readonly string[] = Object.keys(FILES);

/** Returns the file at a path, or null for an unknown path. The conformance suite is missing until the first build. */
export function servedFile(path: string): ServedFile | null {
  const [file, type] = (Object.hasOwn(FILES, path) && FILES[path]) || [];
  const full = file && join(process.cwd(), file);
  if (!full || !existsSync(full)) return null;
  return { type: `${type}; charset=utf-8`, text: readFileSync(full, 'utf8') };
}
