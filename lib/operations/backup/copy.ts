import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { SETTING_NAMES } from '@/lib/platform/env';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Copying a large backup over a slow line takes hours. A program that hangs must not keep the next backup waiting. */
const LIMIT_MS = 10 * 3_600_000;

/**
 * Runs a program with the path of a backup as its only argument, without a shell. The program does not get the settings
 * of this system, so neither SECRET_KEY nor the URLs of the database.
 * @throws StartError if the program cannot be run, does not exit with 0, or does not end within `limitMs`.
 */
export async function copyBackup(
  program: string,
  path: string,
  signal: AbortSignal,
  limitMs = LIMIT_MS,
): Promise<void> {
  const limit = AbortSignal.timeout(limitMs);
  const child = spawn(program, [path], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: withoutSettings(),
    signal: AbortSignal.any([signal, limit]),
    // A program that hangs may ignore SIGTERM.
    killSignal: 'SIGKILL',
  });
  const [code, by] = await once(child, 'exit').catch((error: NodeJS.ErrnoException) => {
    const problem = limit.aborted ? 'did not end in time' : `cannot be run (${error.code})`;
    throw new StartError(`The program of --copy ${problem}: ${program}. ${uncounted(path)}`);
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
