import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRelease } from '@/lib/platform/release';

/** The checksums of all other files of a packaged folder, for `sha256sum --check`. */
const CHECKSUMS = 'files.sha256';
const STATEMENT = 'provenance.json';

const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/**
 * Writes the checksums of a packaged folder, and a statement in the format of in-toto (SLSA provenance) from which sources
 * and with what it was made. The statement has no time and is not signed, so equal inputs give equal statements.
 */
export function writeProvenance(root: string, folder: string): void {
  writeFileSync(join(folder, CHECKSUMS), checksumsOf(folder));
  const { version, commit } = readRelease(folder);
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [CHECKSUMS, 'sbom.cdx.json'].map((name) => ({
      name,
      digest: { sha256: sha256(readFileSync(join(folder, name))) },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:partner-booking-api:npm-run-package:1',
        externalParameters: { version, commit },
        internalParameters: { platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          ...(commit === null ? [] : [{ name: 'source', digest: { gitCommit: commit } }]),
          {
            name: 'package-lock.json',
            digest: { sha256: sha256(readFileSync(join(root, 'package-lock.json'))) },
          },
        ],
      },
      runDetails: { builder: { id: 'urn:partner-booking-api:npm-run-package', version: { node: process.version } } },
    },
  };
  writeFileSync(join(folder, STATEMENT), `${JSON.stringify(statement, null, 2)}\n`);
}

/** Returns one line per file, sorted by path. A symbolic link to a file counts, one to a directory does not. */
function checksumsOf(folder: string): string {
  return [...filesOf(folder)]
    .filter((path) => path !== CHECKSUMS && path !== STATEMENT)
    .sort()
    .map((path) => `${sha256(readFileSync(join(folder, path)))}  ${path}\n`)
    .join('');
}

/** `readdirSync` follows links to directories in some versions of Node.js. */
function* filesOf(folder: string, directory = ''): Generator<string> {
  for (const entry of readdirSync(join(folder, directory), { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesOf(folder, path);
    else if (entry.isFile() || statSync(join(folder, path)).isFile()) yield path;
  }
}
