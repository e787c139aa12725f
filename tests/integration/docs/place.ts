import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sampleNames, samplePath } from '@/lib/contract/docs/samples';
import { CLIENT_FILE } from '@/scripts/client/source';
import { type Block, MINIMAL_CURL, ROOT } from './blocks';

/** Timeout of an example, in milliseconds. */
export const TIMEOUT = 120_000;

/** The path of the program tsx, which the documentation runs with `npx tsx`. */
export const TSX = join(ROOT, 'node_modules/tsx/dist/cli.mjs');

/** A directory with the TypeScript examples, and the environment of the shells that run in it. */
export type Place = { directory: string; environment: NodeJS.ProcessEnv };

/**
 * Writes the TypeScript examples and their client into a directory inside the repository, so that the examples can
 * import the repository's packages.
 */
export async function makePlace(blocks: readonly Block[]): Promise<Place> {
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  const directory = await mkdtemp(join(ROOT, '.cache', 'examples-'));
  for (const { language, name, code } of blocks) if (language === 'ts') await writeFile(join(directory, name), code);
  await copyFile(CLIENT_FILE, join(directory, 'client.ts'));
  for (const name of sampleNames().filter((one) => one.endsWith('.ts'))) {
    await copyFile(join(ROOT, samplePath(name)), join(directory, name));
  }
  const { PATH, HOME } = process.env;
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => null);
  if (!curl) {
    await writeFile(join(directory, 'curl'), MINIMAL_CURL);
    await chmod(join(directory, 'curl'), 0o755);
  }
  const path = [dirname(process.execPath), PATH, directory].join(':');
  return { directory, environment: { NODE_ENV: 'production', HOME, PATH: path } };
}

/** Runs shell blocks in one shell, as if pasted into a terminal, and returns their output. */
export async function shell({ directory, environment }: Place, parts: readonly Pick<Block, 'code'>[]): Promise<string> {
  const script = parts.map(({ code }) => code).join('\n');
  const options = { cwd: directory, env: environment, timeout: TIMEOUT };
  return (await promisify(execFile)('sh', ['-euc', script], options)).stdout;
}
