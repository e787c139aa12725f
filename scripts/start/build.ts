import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BuildOptions } from 'esbuild';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { COMMIT_FILE } from '@/lib/platform/release';
import nextConfig from '@/next.config';
import { PROGRAM } from '../bootstrap/bundle.mjs';
import { findUser, joinUsers, withLock } from '../bootstrap/lock.mjs';

export const SERVER_FILE = '.next/server.mjs';

/** Next to the server file, for its chunks. */
const SERVER_PARTS = 'server-parts';

/** Contains the hash of the sources from which the build was made. */
export const STAMP = '.next/built-from';

/** In `STAMP` of a folder that `npm run package` has written, which contains no sources. */
export const PACKAGED = 'packaged';

const KEPT_CHARACTERS = 20_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const USER_POLL_MS = 500;

/** A change to any other file needs no new build. */
const SOURCES = [
  'app',
  'lib',
  'inngest',
  'prisma',
  'public',
  'scripts/server.ts',
  'scripts/server',
  'scripts/conformance.ts',
  'scripts/conformance',
  'scripts/mcp.ts',
  'scripts/mcp',
  'scripts/bootstrap/bundle.mjs',
  'next.config.ts',
  'tsconfig.json',
  'package-lock.json',
];

/** The client is generated from the schema, which is hashed, and migrations run before the server starts. */
const NOT_SOURCES = new Set(['lib/platform/generated', 'prisma/migrations']);

function* filesOf(root: string, path: string): Generator<string> {
  const full = join(root, path);
  if (NOT_SOURCES.has(path) || !existsSync(full)) return;
  if (!statSync(full).isDirectory()) yield path;
  else for (const name of readdirSync(full).sort()) yield* filesOf(root, `${path}/${name}`);
}

/** Returns a hash of all inputs of a build. */
function hashSources(root: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((source) => [...filesOf(root, source)])) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function isBuilt(root: string): boolean {
  const stamp = join(root, STAMP);
  if (!existsSync(stamp) || !existsSync(join(root, SERVER_FILE))) return false;
  const from = readFileSync(stamp, 'utf8').trim();
  return from === PACKAGED || from === hashSources(root);
}

async function buildPages(root: string, signal: AbortSignal): Promise<void> {
  const next = join(root, 'node_modules/next/dist/bin/next');
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' };
  try {
    await promisify(execFile)(process.execPath, [next, 'build'], {
      cwd: root,
      env,
      signal,
      maxBuffer: MAX_OUTPUT_BYTES,
    });
  } catch (error) {
    signal.throwIfAborted();
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`.slice(-KEPT_CHARACTERS).trim();
    if (/ENOSPC|No space left/.test(output)) throw new StartError('The disk is full: the pages cannot be built.');
    throw new StartError(`${output}\nBuilding the pages failed (next build, exit code ${code}).`);
  }
}

async function bundleServer(root: string): Promise<void> {
  rmSync(join(root, '.next', SERVER_PARTS), { recursive: true, force: true });
  const { build } = await import('esbuild');
  await build(serverBundle(root, '.next'));
  await build(publishedBundle(root));
}

/**
 * Returns esbuild's options for the server file and its import thread. Next does not compile these files, and Node 20
 * cannot run TypeScript. A package that Next.js loads for the pages has one copy in the process: Prisma's adapter does
 * not know the pool of another copy.
 */
export function serverBundle(root: string, outdir: string) {
  return {
    absWorkingDir: root,
    entryPoints: [
      { in: 'scripts/server.ts', out: 'server' },
      { in: 'scripts/server/import-thread.ts', out: 'import-thread' },
    ],
    outdir,
    outExtension: { '.js': '.mjs' },
    // A single bundle would load all dynamically imported modules at startup.
    splitting: true,
    chunkNames: `${SERVER_PARTS}/[name]-[hash]`,
    ...PROGRAM,
    external: [...(PROGRAM.external ?? []), ...(nextConfig.serverExternalPackages ?? [])],
  } satisfies BuildOptions;
}

/**
 * Returns esbuild's options for the programs that the documentation publishes, `/docs/conformance.mjs` and
 * `/docs/mcp.mjs`. They contain all packages, so that they run without the repository.
 */
export function publishedBundle(root: string) {
  return {
    absWorkingDir: root,
    entryPoints: [
      { in: 'scripts/conformance.ts', out: 'conformance' },
      { in: 'scripts/mcp.ts', out: 'mcp' },
    ],
    outdir: '.next',
    outExtension: { '.js': '.mjs' },
    ...PROGRAM,
    external: [],
  } satisfies BuildOptions;
}

/**
 * A process loads each page when it is first requested, and would mix two versions if the build were replaced
 * meanwhile. If a server uses the build, every command that needs a new one fails. If tests use it, a server fails to
 * start, and a test run waits.
 */
type User = 'server' | 'tests';

type Options = { root: string; user: User; say: (line: string) => void; signal: AbortSignal };

async function awaitUsers({ root, user, say, signal }: Options): Promise<void> {
  const server = await findUser(root, 'server');
  if (server) {
    throw new StartError(
      `Process ${server} is serving an earlier build, and the code has changed since then. Stop that process first.`,
    );
  }
  let tests = await findUser(root, 'tests');
  if (tests && user === 'server') {
    throw new StartError(
      `Process ${tests} is testing an earlier build, and the code has changed since then. Wait until that process ends.`,
    );
  }
  if (tests) say(`Waiting for the test run of process ${tests}, which uses an earlier build …`);
  for (; tests; tests = await findUser(root, 'tests')) await delay(USER_POLL_MS, undefined, { signal });
}

function commitOf(root: string): string | null {
  const given = process.env.SOURCE_COMMIT;
  if (given) return given;
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', timeout: 5_000 });
  return status === 0 ? stdout.trim() : null;
}

async function build(options: Options): Promise<void> {
  const { root, say, signal } = options;
  if (!isBuilt(root)) {
    await awaitUsers(options);
    const hash = hashSources(root);
    say('Building the pages (half a minute to a few minutes) …');
    rmSync(join(root, STAMP), { force: true });
    await buildPages(root, signal);
    await bundleServer(root);
    writeFileSync(join(root, COMMIT_FILE), `${commitOf(root) ?? ''}\n`);
    writeFileSync(join(root, STAMP), `${hash}\n`);
  }
  await joinUsers(root, options.user);
}

/**
 * Builds if the sources have changed. Of two commands, one builds, and the other waits. Then registers this process as
 * a user of the build.
 * @throws StartError if the build fails, or if it would replace a build that another process uses (see `User`)
 */
export async function ensureBuild(
  root: string,
  say: (line: string) => void,
  signal: AbortSignal,
  user: User = 'server',
): Promise<void> {
  try {
    mkdirSync(join(root, '.next'), { recursive: true });
    const onWait = () => say('Waiting for another command in this directory to finish building …');
    await withLock(root, 'build', onWait, () => build({ root, user, say, signal }));
  } catch (error) {
    throw fileProblem(error, 'the build in .next') ?? error;
  }
}
