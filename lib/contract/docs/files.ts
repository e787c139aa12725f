import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogFeed, FEED } from './changelog-feed';
import type { Deployment } from './deployment';
import { llmsText } from './llms';
import { PAGES } from './pages';
import { postmanCollection } from './postman';
import { sampleNames, samplePath, withoutMarkers } from './samples';
import { twinOf, twinPath } from './twin';

export type ServedFile = { type: string; text: string };

type Source = { type: string } & ({ file: string } | { build: (deployment: Deployment) => string });

const FILES: Record<string, Source> = {
  '/docs/client.ts': { type: 'text/plain', file: 'lib/contract/client.ts' },
  '/docs/conformance.mjs': { type: 'text/plain', file: '.next/conformance.mjs' },
  '/docs/mcp.mjs': { type: 'text/plain', file: '.next/mcp.mjs' },
  '/docs/webhook-vectors.json': { type: 'application/json', file: 'docs/partner/webhook-vectors.json' },
  '/docs/digest-vectors.json': { type: 'application/json', file: 'docs/partner/digest-vectors.json' },
  '/docs/postman.json': {
    type: 'application/json',
    build: (deployment) => JSON.stringify(postmanCollection(deployment), null, 2),
  },
  [FEED]: { type: 'application/atom+xml', build: changelogFeed },
  '/docs/llms.txt': { type: 'text/plain', build: (deployment) => llmsText(PAGES, deployment) },
  ...Object.fromEntries(
    sampleNames().map((name): [string, Source] => [
      `/docs/samples/${name}`,
      { type: 'text/plain', build: () => withoutMarkers(samplePath(name)) },
    ]),
  ),
  ...Object.fromEntries(
    PAGES.map((page): [string, Source] => [
      twinPath(page.path),
      { type: 'text/markdown', build: (deployment) => twinOf(page, PAGES, deployment) },
    ]),
  ),
};

export const FILE_PATHS: readonly string[] = Object.keys(FILES);

/**
 * Returns the file at a path. Returns null if the path is unknown or the file does not exist yet, such as the
 * conformance suite before the first build. Source code is served as text.
 */
export function servedFile(path: string, deployment: Deployment): ServedFile | null {
  const source = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (!source) return null;
  const type = `${source.type}; charset=utf-8`;
  if ('build' in source) return { type, text: source.build(deployment) };
  const file = join(process.cwd(), source.file);
  return existsSync(file) ? { type, text: readFileSync(file, 'utf8') } : null;
}
