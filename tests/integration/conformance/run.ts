import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Readiness } from '@/lib/contract/readiness';
import type { Result } from '@/scripts/conformance/report';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

async function publishedSuite(origin: string): Promise<string> {
  const response = await fetch(`${origin}/docs/conformance.mjs`);
  if (!response.ok) throw new Error(`The suite is not published: ${response.status}.`);
  return await response.text();
}

/** How the suite is started: the published file in a directory without packages, or the npm script. */
export type Command = 'published file' | 'npm run conformance';

/** Runs the suite and returns its exit code, output, and result. */
export async function conformance(
  origin: string,
  args: string[],
  command: Command = 'published file',
): Promise<{ code: number | null; output: string; result: (Result & { readiness: Readiness | null }) | null }> {
  const directory = await mkdtemp(join(tmpdir(), 'conformance-'));
  const file = join(directory, 'result.json');
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'production' } as NodeJS.ProcessEnv;
  const published = command === 'published file';
  if (published) await writeFile(join(directory, 'conformance.mjs'), await publishedSuite(origin));
  const program = published ? ['conformance.mjs'] : ['scripts/launch.mjs', 'conformance'];
  const child = spawn(process.execPath, [...program, ...args, '--json', file], {
    cwd: published ? directory : ROOT,
    env,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(directory, { recursive: true, force: true });
  return { code, output, result: text === null ? null : JSON.parse(text) };
}
