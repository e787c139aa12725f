import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SETTING_NAMES } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';

/**
 * Runs a program with the path of a backup as its only argument, without a shell. The program does not get the settings
 * of this system, so neither SECRET_KEY nor the URLs of the database.
 * @throws StartError if the program cannot be run or does not exit with 0.
 */
export async function copyBackup(program: string, path: string, signal: AbortSignal): Promise<void> {
  const child = spawn(program, [path], { stdio: ['ignore', 'inherit', 'inherit'], env: withoutSettings(), signal });
  const [code, by] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The program of --copy cannot be run (${error.code}): ${program}. ${uncounted(path)}`);
  });
  if (code === 0) return;
  throw new StartError(`The program of --copy ended with ${code ?? by}: ${program}. ${uncounted(path)}`);
}

const uncounted = (path: string) => `${path} is complete, but it is not recorded, because there is no copy of it.`;

function withoutSettings(): NodeJS.ProcessEnv {
  const settings = new Set(SETTING_NAMES.flatMap((name) => [name, `${name}_FILE`]));
  const others = Object.entries(process.env).filter(([name]) => !settings.has(name));
  return Object.fromEntries(others) as NodeJS.ProcessEnv;
}
